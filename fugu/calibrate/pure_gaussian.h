// What Gaussian noise can do without delta (docs/math.md, section 5).
#pragma once

#include "fugu/scenario/scenario.h"

namespace fugu::inline in_calibrate {

// The least epsilon that Gaussian noise attains with delta 0, as its scale grows without bound: the largest
// |log E_p e^(lambda X) - log E_q e^(lambda X)| over all lambda, priors and pairs; infinite where the lowest
// or highest values of two secrets differ. A numeric maximum, rounded up a little; the verifier decides in
// the end.
double least_pure_epsilon(const Scenario& scenario);

// Error (guarantee) that says so, with that least epsilon, unless the scenario's epsilon is above it.
void require_attainable(const Scenario& scenario);

}  // namespace fugu::inline in_calibrate
