// The verifier: small, separate, and unimpressed by whoever made the plan.
//
// It takes from a plan only the scenario and the exact noise, recomputes the loss of that noise with interval
// arithmetic, raising the precision until it is decided, and then compares every other number the plan states.
#pragma once

#include "fugu/plan/plan.h"
#include "fugu/verify/loss.h"

namespace fugu {

// The loss of this very noise over this scenario, decided. With a dyadic noise and exact masses the ratio is rational
// and e^epsilon is not, so enough bits always decide. Error (guarantee) if even 2^16 bits do not.
LossDecision prove_loss(const Scenario& scenario, const Noise& noise);

// The same as a witness in words and numbers; loss at most epsilon when the decision holds.
Witness witness_of(const Scenario& scenario, const LossDecision& decision);

// Distances over the pairs and priors, recomputed from the scenario.
Sensitivity measure_sensitivity(const Scenario& scenario);

// Returns the recomputed witness, or throws Error (guarantee) that names the first number that is wrong.
Witness verify(const Plan& plan);

}  // namespace fugu
