#include "fugu/audit/worst_pairs.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fugu/proof/kernel.h"

namespace fugu::inline in_audit {
namespace {

constexpr Bits kPairBits = 128;

struct Ranked {
  PriorPair at;
  double loss;
};

// Infinite where an output is possible under one secret only.
double loss_of(const Masses& a, const Masses& b) {
  double most = 0;
  for (size_t k = 0; k < a.at.size(); ++k) {
    const bool zero_a = a.at[k].is_zero(), zero_b = b.at[k].is_zero();
    if (zero_a && zero_b) continue;
    if (zero_a || zero_b) return std::numeric_limits<double>::infinity();
    most = std::max(most, std::abs(log(a.at[k] / b.at[k]).upper()));
  }
  return most;
}

// Whether all pairs can be ranked within a second or so: each mass is an interval.
bool is_cheap(const Scenario& scenario, const Mechanism& mechanism, size_t atoms) {
  constexpr size_t kMostMasses = 500'000, kMostWork = 5'000'000;
  const Noise* noise = std::get_if<Noise>(&mechanism);
  const size_t window = noise ? noise->weights.size() : 1, outputs = atoms * window;
  const size_t masses = outputs * scenario.secrets.size();
  return masses <= kMostMasses && masses * std::min(atoms, window) <= kMostWork &&
         outputs * scenario.pair_count() <= kMostWork;
}

void rank(const Scenario& scenario, const Mechanism& mechanism, std::vector<Ranked>& ranked) {
  const MechanismBounds bounds = bounds_of(mechanism, kPairBits);
  const auto pairs = scenario.pairs.list(scenario.secrets.size());
  for (size_t p = 0; p < scenario.priors.size(); ++p) {
    const Prior& prior = scenario.priors[p];
    const auto atoms = union_support(prior.by_secret);
    if (!is_cheap(scenario, mechanism, atoms.size())) continue;
    const auto masses = kernel_of(scenario, prior, nullptr, bounds, false);
    std::vector<Masses> of_secret;
    of_secret.reserve(prior.by_secret.size());
    for (const Distribution& secret : prior.by_secret) of_secret.push_back(masses->of(secret, false));
    for (Ranked& one : ranked) {
      if (one.at.prior == p) one.loss = loss_of(of_secret[one.at.pair.first], of_secret[one.at.pair.second]);
    }
  }
}

}  // namespace

std::vector<PriorPair> worst_pairs(const Scenario& scenario, const Mechanism& mechanism,
                                   const PriorPair& witness, size_t most) {
  std::vector<Ranked> ranked{{witness, 0}};
  for (size_t p = 0; p < scenario.priors.size(); ++p) {
    for (const SecretPair& pair : scenario.pairs.list(scenario.secrets.size())) {
      if (!(PriorPair{p, pair} == witness)) ranked.push_back({{p, pair}, 0});
    }
  }
  constexpr size_t kMostRanked = 2000;
  if ((!scenario.is_joint() || std::holds_alternative<Swap>(mechanism)) && ranked.size() <= kMostRanked)
    rank(scenario, mechanism, ranked);
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const Ranked& a, const Ranked& b) { return a.loss > b.loss; });
  // The worst of each prior, then the others.
  std::vector<PriorPair> result, rest;
  for (const Ranked& one : ranked) {
    const bool first = std::none_of(result.begin(), result.end(),
                                    [&](const PriorPair& at) { return at.prior == one.at.prior; });
    (first ? result : rest).push_back(one.at);
  }
  result.insert(result.end(), rest.begin(), rest.end());
  result.resize(std::min(most, result.size()));
  return result;
}

}  // namespace fugu::inline in_audit
