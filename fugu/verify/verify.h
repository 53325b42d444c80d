// The verifier: small, separate, and unimpressed by whoever made the plan.
//
// It takes from a plan only the scenario and the exact mechanism, recomputes the loss (or, with delta, the
// hockey-stick) of it with interval arithmetic, raising the precision until it is decided, and then
// compares every other number the plan states.
#pragma once

#include "fugu/core/progress.h"
#include "fugu/plan/plan.h"
#include "fugu/proof/prove.h"

namespace fugu {

// The same of a scenario, with its boxes where it has a confidence (proof/prove.h).
Proof prove(const Scenario& scenario, const Mechanism& mechanism, const Progress& progress = {});

// Distances over the pairs and priors, recomputed from the scenario. Within a blur, w_inf is an upper bound
// over the true laws, and w_1 is that of the nominal ones.
Sensitivity measure_sensitivity(const Scenario& scenario);

// Returns the recomputed witness, or throws Error (guarantee) that names the first number that is wrong.
Witness verify(const Plan& plan);

}  // namespace fugu
