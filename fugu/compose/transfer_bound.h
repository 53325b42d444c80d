// The transfer bound of several releases of one value, or of one value of several columns, from the integers
// that are drawn (docs/math.md, section 17).
#pragma once

#include <optional>
#include <vector>

#include "fugu/core/interval.h"
#include "fugu/mechanism/mechanism.h"
#include "fugu/scenario/scenario.h"

namespace fugu::inline in_compose {

// An upper bound of log lambda over priors and pairs, both ways; never below the joint loss, whichever of the
// releases were chosen after seeing others. What is at most `hoped` is not written as more. Of Laplace noise
// on one column along the line, with a confidence for every law that the counts allow; of anything else by a
// programme, without a confidence. Absent where it is infinite or where there is too much to look at.
// Precondition: all releases are of one column, or all are noise on the scenario's columns.
std::optional<Interval> transfer_bound(const Scenario& scenario,
                                       const std::vector<const Mechanism*>& releases, const Rational& hoped,
                                       Bits precision);

}  // namespace fugu::inline in_compose
