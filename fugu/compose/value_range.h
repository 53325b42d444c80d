// What a release tells whatever its values are (docs/math.md, section 10).
#pragma once

#include <optional>

#include "fugu/plan/plan.h"

namespace fugu::inline in_compose {

// The least number found with P(y|x) <= e^range P(y|x') for every output y and any two values x, x' that the
// release takes: every lattice point from the least to the greatest value of the plan (of several columns, of
// each), or every input of its channel. It asks nothing of any law, so that ranges add over releases of
// whatever values. Rounded up to a double, or the plan's epsilon where it is proved to be at most that.
// Absent where it is infinite, where it would take too long, for whole rows that trade places, and within
// strata.
std::optional<Rational> value_range(const Plan& plan);

}  // namespace fugu::inline in_compose
