#include "fugu/law/promise_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "fugu/core/interval.h"

namespace fugu::inline in_law {
namespace {

constexpr Bits kPercentBits = 256;
constexpr size_t kMostNamed = 4, kMostShares = 20;

std::string quoted(const Claim& claim, uint32_t secret) { return "'" + claim.secrets[secret] + "'"; }

// "'HIV'", "'a' and 'b'".
std::string whose(const Claim& claim, const OwnBudget& own) {
  return own.second ? quoted(claim, own.first) + " and " + quoted(claim, *own.second)
                    : quoted(claim, own.first);
}

Interval percents(const Rational& percent, const Rational& epsilon) {
  return Interval(percent, kPercentBits) * exp(Interval(epsilon, kPercentBits));
}

// Each budget of its own in these words, the first few of them.
template <class Words>
std::string own_words(const Claim& claim, const char* before, const char* between, Words words) {
  std::string text;
  for (size_t k = 0; k < claim.own_budgets.size() && k < kMostNamed; ++k)
    text += (k == 0 ? before : between) + words(claim.own_budgets[k]);
  if (claim.own_budgets.size() > kMostNamed)
    text += fmt::format(", and {} more have less", claim.own_budgets.size() - kMostNamed);
  return text;
}

// A share in percent, to two digits after the point; to the nearest where it has more.
std::string percent_text(const Rational& share) {
  return to_text(Rational(floor(Rational(share * 10000 + Rational(1, 2))), Integer(100)));
}

// "HIV 2 %, flu 98 %": of the first prior, which are the owner's where they are stated.
std::string shares_text(const Claim& claim) {
  const std::vector<Rational> shares = claim.shares_in(claim.priors.front());
  std::string text;
  for (size_t s = 0; s < shares.size() && s < kMostShares; ++s)
    text += fmt::format("{}'{}' {} %", s == 0 ? "" : ", ", claim.secrets[s], percent_text(shares[s]));
  if (shares.size() > kMostShares) text += fmt::format(", and {} more", shares.size() - kMostShares);
  return text;
}

// Of shares that the owner states: "whoever believes the stated shares: 'HIV' from 2 % to at most 3.3 %".
std::string stated_words(const Claim& claim) {
  const std::vector<Rational> shares = claim.shares_in(claim.priors.front());
  const std::vector<uint32_t> nothing = claim.void_in(claim.priors.front());
  std::string text = "whoever believes the stated shares:";
  size_t named = 0;
  for (const Limit& limit : claim.limits()) {
    if (limit.first >= shares.size() || named == kMostNamed ||
        std::find(nothing.begin(), nothing.end(), limit.first) != nothing.end())
      continue;
    const Rational percent(100 * shares[limit.first]);
    text +=
        fmt::format("{} {} from {} % to at most {} %", named++ == 0 ? "" : ",", quoted(claim, limit.first),
                    percent_text(shares[limit.first]), surer_percent(percent, limit.epsilon));
    if (claim.promised == Promise::kBeliefBothWays)
      text += fmt::format(" and at least {} %", less_sure_percent(percent, limit.epsilon));
  }
  return text + (named + nothing.size() < shares.size() ? ", and so on" : "");
}

std::string belief_words(const Claim& claim) {
  if (!claim.priors.empty() && !claim.priors.front().shares.empty()) return stated_words(claim);
  const Rational before(2);
  auto after = [&](const Epsilon& epsilon) {
    const std::string most = surer_percent(before, epsilon);
    return claim.promised == Promise::kBeliefBothWays
               ? fmt::format("at most {} % and at least {} %", most, less_sure_percent(before, epsilon))
               : fmt::format("at most {} %", most);
  };
  return fmt::format("whoever believes the prior's shares of the secrets: a share of 2 % becomes {}",
                     after(claim.stated().epsilon)) +
         own_words(claim, "; of ", ", of ", [&](const OwnBudget& own) {
           return fmt::format("{} {}", whose(claim, own), after(own.epsilon));
         });
}

}  // namespace

std::string surer_percent(const Rational& percent, const Epsilon& epsilon) {
  const Integer hundredths = percents(percent * 100, epsilon.value()).ceil_scaled(0);
  return to_text(Rational(std::min(hundredths, Integer(10000)), Integer(100)));
}

std::string less_sure_percent(const Rational& percent, const Epsilon& epsilon) {
  const double hundredths = percents(percent * 100, -epsilon.value()).lower();
  return to_text(Rational(floor(exact(hundredths)), Integer(100)));
}

std::string budget_text(const Claim& claim) {
  const auto [epsilon, delta] = claim.stated();
  std::string text = "epsilon " + epsilon.text();
  if (!delta.is_zero()) text += ", delta " + delta.text();
  text += own_words(claim, ", of ", ", of ",
                    [&](const OwnBudget& own) { return whose(claim, own) + " " + own.epsilon.text(); });
  if (claim.promised == Promise::kBelief) text += " in belief";
  if (claim.promised == Promise::kBeliefBothWays) text += " in belief, both ways";
  return text;
}

std::string in_words(const Claim& claim) {
  const auto [epsilon, delta] = claim.stated();
  if (claim.is_plain()) return in_words(epsilon, delta);
  if (claim.is_of_belief()) return belief_words(claim);
  return in_words(epsilon) + own_words(claim, "; where ", ", where ", [&](const OwnBudget& own) {
           return fmt::format(
               "{} {}, {}", whose(claim, own), own.second ? "are the two" : "is one of the two",
               in_words(own.epsilon).substr(std::string("a 50 % belief in either secret ").size()));
         });
}

std::string void_words(const Claim& claim) {
  std::set<uint32_t> found;
  for (const Prior& prior : claim.priors) {
    for (uint32_t s : claim.void_in(prior)) found.insert(s);
  }
  std::string text;
  size_t k = 0;
  for (uint32_t s : found) {
    text += (k == 0 ? "" : k + 1 == found.size() ? " and " : ", ") + quoted(claim, s);
    ++k;
  }
  return text;
}

std::vector<std::string> promise_sentences(const Claim& claim) {
  std::vector<std::string> result;
  if (claim.is_of_belief()) {
    const Prior& first = claim.priors.front();
    const bool modelled = !first.laws.empty() || first.by_secret.front().blur() != 0;
    result.push_back(fmt::format(
        "The promise in belief is for somebody who believes of the secrets beforehand {}; whoever believes "
        "otherwise of them is not covered.",
        !first.shares.empty() ? fmt::format("the shares that the owner states ({})", shares_text(claim))
        : modelled            ? "that each is as likely as any other"
                              : "the shares that they have in the prior"));
    if (claim.promised == Promise::kBelief)
      result.emplace_back("That a person does not have a secret may become certain.");
    if (const std::string nothing = void_words(claim); !nothing.empty()) {
      result.push_back(fmt::format(
          "Of {} it does not say how sure anybody becomes{}: e^epsilon times as sure would be more than "
          "certain.",
          nothing, claim.priors.size() > 1 ? " under some prior" : ""));
    }
  }
  if (!claim.own_budgets.empty()) {
    std::string budgets;
    for (const OwnBudget& own : claim.own_budgets)
      budgets += fmt::format("{}{} {}", budgets.empty() ? "" : ", ", whose(claim, own), own.epsilon.text());
    result.push_back(fmt::format("Epsilon is less for some: {}; everything else has {}.", budgets,
                                 claim.stated().epsilon.text()));
  }
  return result;
}

}  // namespace fugu::inline in_law
