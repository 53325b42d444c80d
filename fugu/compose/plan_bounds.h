// Joint bounds from the transport plan: sound for any releases of one value, however they were calibrated
// (docs/math.md, section 10). The plan is that of the nominal masses; what true masses within the blur may
// add is added.
#pragma once

#include <optional>
#include <vector>

#include "fugu/compose/exchange.h"
#include "fugu/scenario/scenario.h"

namespace fugu::inline in_compose {

// The largest over priors, pairs, rows x and columns x' of -log sum_x' pi*(x'|x) prod_k kept_k(x, x').
// Absent where it is infinite, or where the plans have too many cells to look at.
std::optional<Interval> row_bound(const Scenario& scenario, std::vector<Exchange>& releases, Bits precision);

// With the sum of the epsilons, the delta: the largest over priors, pairs and directions of
// sum pi*(x,x') sum_k excess_k(x, x'). Absent where it is not below 1, or as above.
std::optional<Interval> cell_bound(const Scenario& scenario, std::vector<Exchange>& releases, Bits precision);

// For Laplace noise of these ratios: the farthest that mass moves, times the sum of -log ratio. Never less
// than the row bound, and quick where that is not. Absent where it is infinite.
std::optional<Interval> distance_bound(const Scenario& scenario, const std::vector<Rational>& ratios,
                                       Bits precision);

}  // namespace fugu::inline in_compose
