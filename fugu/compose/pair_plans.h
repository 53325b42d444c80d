// The transport plans of a scenario: one for each prior and pair of secrets.
#pragma once

#include <algorithm>

#include "fugu/scenario/scenario.h"
#include "fugu/transport/coupling.h"

namespace fugu::inline in_compose {

inline constexpr size_t kMostPairCells = 3'000'000;

// Whether all plans together have more cells than are looked at.
inline bool too_many_cells(const Scenario& scenario) {
  size_t cells = 0;
  for (const Prior& prior : scenario.priors) {
    size_t most = 0;
    for (const Distribution& given : prior.by_secret) most = std::max(most, given.size());
    if (most > 0 && scenario.pair_count() > kMostPairCells / (2 * most)) return true;
    cells += scenario.pair_count() * 2 * most;
  }
  return cells > kMostPairCells;
}

// visit(law of the one secret, law of the other, their monotone coupling).
template <class Visit>
void for_each_plan(const Scenario& scenario, Visit visit) {
  const auto pairs = scenario.pairs.list(scenario.secrets.size());
  for (const Prior& prior : scenario.priors) {
    for (auto [a, b] : pairs)
      visit(prior.by_secret[a], prior.by_secret[b],
            monotone_coupling(prior.by_secret[a], prior.by_secret[b]));
  }
}

}  // namespace fugu::inline in_compose
