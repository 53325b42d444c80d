// The exact joint loss of several releases of one value, on the grid of outputs that suffice.
//
// P(y_1 … y_k | s) = sum over x of P(x|s) prod_j P_j(y_j|x). With all outputs but one fixed this is a single
// release of a value with other weights, so section 5 of docs/math.md applies to each coordinate in turn: the
// ratio is largest where every y_j is one of the outputs that suffice for a single release (section 10).
#pragma once

#include <optional>
#include <vector>

#include "fugu/core/interval.h"
#include "fugu/mechanism/mechanism.h"
#include "fugu/scenario/scenario.h"

namespace fugu::inline in_compose {

// The largest loss over priors, pairs and outputs, as bounds; its upper end is above the loss of every law
// within the blur. Absent where it is infinite, where a channel
// has no row for a value, or where the grid is too large to look at.
std::optional<Interval> joint_loss(const Scenario& scenario, const std::vector<const Mechanism*>& releases,
                                   Bits precision);

// The loss of the value itself, as it is: it bounds that of anything that is made from it.
std::optional<Interval> raw_loss(const Scenario& scenario, Bits precision);

}  // namespace fugu::inline in_compose
