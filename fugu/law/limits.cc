#include "fugu/law/limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "fugu/core/interval.h"
#include "fugu/law/claim.h"

namespace fugu::inline in_law {
namespace {

// What each pair, or what concerns each secret, may spend.
class Budgets {
 public:
  explicit Budgets(const Claim& claim) : rest_(claim.epsilon), of_secret_(claim.secrets.size()) {
    for (const OwnBudget& own : claim.own_budgets) {
      if (own.second) {
        of_pair_.emplace(SecretPair{own.first, *own.second}, own.epsilon);
      } else {
        of_secret_[own.first] = own.epsilon;
      }
    }
  }
  const Epsilon& of(uint32_t secret) const { return of_secret_[secret] ? *of_secret_[secret] : rest_; }
  // The least of what is said of the pair and of either secret: no sentence about one of them is too strong.
  const Epsilon& of(const SecretPair& pair) const {
    const Epsilon* least = &of(pair.first);
    if (of(pair.second).value() < least->value()) least = &of(pair.second);
    const auto found = of_pair_.find(pair);
    return found != of_pair_.end() && found->second.value() < least->value() ? found->second : *least;
  }

 private:
  Epsilon rest_;
  std::vector<std::optional<Epsilon>> of_secret_;
  std::map<SecretPair, Epsilon> of_pair_;
};

}  // namespace

std::string_view promise_name(Promise promise) {
  return promise == Promise::kOdds ? "odds" : promise == Promise::kBelief ? "belief" : "belief-both";
}

std::optional<Promise> promise_named(std::string_view name) {
  for (Promise promise : {Promise::kOdds, Promise::kBelief, Promise::kBeliefBothWays}) {
    if (promise_name(promise) == name) return promise;
  }
  return std::nullopt;
}

std::vector<Limit> Claim::limits() const {
  const Budgets budgets(*this);
  const auto mixture = static_cast<uint32_t>(secrets.size());
  std::vector<Limit> result;
  if (is_of_belief()) {
    for (uint32_t s = 0; s < mixture; ++s) {
      result.push_back({s, mixture, budgets.of(s)});
      if (promised == Promise::kBeliefBothWays) result.push_back({mixture, s, budgets.of(s)});
    }
    return result;
  }
  for (const SecretPair& pair : pairs.list(secrets.size())) {
    result.push_back({pair.first, pair.second, budgets.of(pair)});
    result.push_back({pair.second, pair.first, budgets.of(pair)});
  }
  return result;
}

Epsilon Claim::least_budget() const {
  Epsilon least = epsilon;
  for (const OwnBudget& own : own_budgets) {
    if (own.epsilon.value() < least.value()) least = own.epsilon;
  }
  return least;
}

void Claim::make_plain() {
  epsilon = least_budget();
  promised = Promise::kOdds;
  own_budgets.clear();
}

std::vector<Rational> Claim::shares_in(const Prior& prior) const {
  std::vector<Rational> shares = prior.shares;
  const bool modelled =
      std::any_of(prior.by_secret.begin(), prior.by_secret.end(),
                  [](const Distribution& given) { return given.blur() != 0; }) ||
      std::any_of(prior.laws.begin(), prior.laws.end(), [](const auto& law) { return law.has_value(); });
  for (size_t s = 0; shares.size() < prior.by_secret.size(); ++s)
    shares.push_back(modelled ? Rational(1) : Rational(prior.by_secret[s].total()));
  Rational sum(0);
  for (const Rational& share : shares) sum += share;
  for (Rational& share : shares) share /= sum;
  return shares;
}

std::vector<uint32_t> Claim::void_in(const Prior& prior) const {
  std::vector<uint32_t> result;
  if (promised == Promise::kOdds) return result;
  constexpr Bits kBits = 256;
  const std::vector<Rational> shares = shares_in(prior);
  const Budgets budgets(*this);
  const Interval one(Integer(1), kBits);
  for (uint32_t s = 0; s < secrets.size(); ++s) {
    // e^epsilon is no rational number, so that they are never the same.
    if (certainly_at_most(one, exp(Interval(budgets.of(s).value(), kBits)) * Interval(shares[s], kBits)))
      result.push_back(s);
  }
  return result;
}

void check_promise(const Claim& claim, ErrorKind kind) {
  if (claim.is_plain()) return;
  const std::string place =
      claim.is_of_belief() ? "--promise " + std::string(promise_name(claim.promised)) : "--epsilon";
  if (!claim.delta.is_zero()) {
    throw Error(kind,
                claim.is_of_belief() ? place + ": a promise in belief takes no delta"
                                     : "--epsilon: budgets of their own take no delta",
                "leave out --delta, or promise one epsilon for the odds");
  }
  for (const OwnBudget& own : claim.own_budgets) {
    const bool exists =
        own.first < claim.secrets.size() && (!own.second || *own.second < claim.secrets.size());
    if (!exists || (own.second && own.first >= *own.second) || own.epsilon.value() > claim.epsilon.value())
      throw Error(kind, "--epsilon: a budget of its own is above the others'",
                  "give the largest to the rest: A=0.1,*=1");
    if (claim.is_of_belief() && own.second) {
      throw Error(kind, place + ": a promise in belief is of single secrets, and a budget is of a pair",
                  "give budgets of single secrets, or --promise odds");
    }
    if (claim.is_of_belief()) continue;
    const auto pairs = claim.pairs.list(claim.secrets.size());
    const bool is_protected = std::any_of(pairs.begin(), pairs.end(), [&](const SecretPair& pair) {
      return own.second ? pair == SecretPair{own.first, *own.second}
                        : pair.first == own.first || pair.second == own.first;
    });
    if (!is_protected) {
      throw Error(kind,
                  own.second ? "--epsilon: a budget is of a pair that is not protected"
                             : "--epsilon: a budget is of a secret that is in no protected pair",
                  "name the pair in --pairs, or leave out its budget");
    }
  }
  if (!claim.is_of_belief()) return;
  if (!claim.pairs.is_all()) {
    throw Error(kind, place + ": a promise in belief is of single secrets, not of pairs",
                "leave out --pairs, or give --promise odds");
  }
  bool says_something = claim.promised == Promise::kBeliefBothWays;
  for (const Prior& prior : claim.priors) {
    if (!prior.shares.empty() &&
        (prior.shares.size() != claim.secrets.size() ||
         std::any_of(prior.shares.begin(), prior.shares.end(), [](const Rational& s) { return s <= 0; })))
      throw Error(kind, place + ": a prior's shares are not those of the secrets",
                  "give each secret a number above 0");
    says_something = says_something || claim.void_in(prior).size() < claim.secrets.size();
  }
  if (!says_something) {
    throw Error(
        kind,
        fmt::format("{}: at epsilon {} it says nothing of any secret: e^epsilon times as sure would be "
                    "more than certain",
                    place, claim.epsilon.text()),
        "lower --epsilon, or give --promise odds");
  }
}

}  // namespace fugu::inline in_law
