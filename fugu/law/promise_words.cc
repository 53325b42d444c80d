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

// Where every pair keeps the odds, so does one secret against all the others together, however many they are:
// the words do not tell.
const char* believed(const Claim& claim) {
  if (!claim.pairs.is_all()) return "either secret of a listed pair (and in no third)";
  return claim.secrets.empty() || !claim.own_budgets.empty() ? "either of two secrets" : "any secret";
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

// Whether the shares depend on what is believed of the values.
bool shares_differ(const Claim& claim) {
  const std::vector<Rational> first = claim.shares_in(claim.priors.front());
  return std::any_of(claim.priors.begin(), claim.priors.end(),
                     [&](const Prior& prior) { return claim.shares_in(prior) != first; });
}

// Those of which the promise in belief says nothing under some prior.
std::set<uint32_t> void_secrets(const Claim& claim) {
  std::set<uint32_t> found;
  for (const Prior& prior : claim.priors) {
    for (uint32_t s : claim.void_in(prior)) found.insert(s);
  }
  return found;
}

// The limits that are told of by name where the owner states shares: the first few that say anything.
std::vector<Limit> told_limits(const Claim& claim) {
  const size_t secrets = claim.secrets.size();
  const std::vector<uint32_t> nothing = claim.void_in(claim.priors.front());
  std::vector<Limit> told;
  for (const Limit& limit : claim.limits()) {
    const bool is_void = std::find(nothing.begin(), nothing.end(), limit.first) != nothing.end();
    if (limit.first < secrets && !is_void && told.size() < kMostNamed) told.push_back(limit);
  }
  return told;
}

bool states_shares(const Claim& claim) {
  return claim.is_of_belief() && !claim.priors.empty() && !claim.priors.front().shares.empty();
}

// Of shares that the owner states: "whoever believes the stated shares: 'HIV' from 2 % to at most 3.3 %".
std::string stated_words(const Claim& claim) {
  const std::vector<Rational> shares = claim.shares_in(claim.priors.front());
  const size_t nothing = claim.void_in(claim.priors.front()).size();
  std::string text = shares_differ(claim) ? "whoever believes the first prior and its stated shares:"
                                          : "whoever believes the stated shares:";
  const std::vector<Limit> told = told_limits(claim);
  for (size_t k = 0; k < told.size(); ++k) {
    const Limit& limit = told[k];
    const Rational percent(100 * shares[limit.first]);
    text += fmt::format("{} {} from {} % to at most {} %", k == 0 ? "" : ",", quoted(claim, limit.first),
                        percent_text(shares[limit.first]), surer_percent(percent, limit.epsilon));
    if (claim.promised == Promise::kBeliefBothWays)
      text += fmt::format(" and at least {} %", less_sure_percent(percent, limit.epsilon));
  }
  return text + (told.size() + nothing < shares.size() ? ", and so on" : "");
}

std::string belief_words(const Claim& claim) {
  if (states_shares(claim)) return stated_words(claim);
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
  if (claim.is_plain() && !delta.is_zero()) return in_words(epsilon, delta);
  if (claim.is_of_belief()) return belief_words(claim);
  return fmt::format("a 50 % belief in {} {}", believed(claim), half_becomes(epsilon)) +
         own_words(claim, "; where ", ", where ", [&](const OwnBudget& own) {
           return fmt::format("{} {}, {}", whose(claim, own),
                              own.second ? "are the two" : "is one of the two", half_becomes(own.epsilon));
         });
}

std::set<uint32_t> named_secrets(const Claim& claim) {
  std::set<uint32_t> named = void_secrets(claim);
  for (const OwnBudget& own : claim.own_budgets) {
    named.insert(own.first);
    if (own.second) named.insert(*own.second);
  }
  if (!states_shares(claim)) return named;
  for (uint32_t s = 0; s < claim.secrets.size() && s < kMostShares; ++s) named.insert(s);
  for (const Limit& limit : told_limits(claim)) named.insert(limit.first);
  return named;
}

std::string void_words(const Claim& claim) {
  const std::set<uint32_t> found = void_secrets(claim);
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
        !first.shares.empty() ? fmt::format("the shares that the owner states{}{})",
                                            shares_differ(claim) ? " for their prior (for the first: " : " (",
                                            shares_text(claim))
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
