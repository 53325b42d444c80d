// The verifier: small, separate, and unimpressed by whoever made the plan.
//
// It takes from a plan only the claim and the exact mechanism and has it proved (proof/prove.h); then it
// compares every other number that the plan states: those are facts, and nothing of the privacy rests on
// them.
#pragma once

#include "fugu/core/progress.h"
#include "fugu/plan/plan.h"
#include "fugu/proof/prove.h"

namespace fugu::inline in_verify {

// The same of a scenario, with its boxes where it has a confidence (proof/prove.h).
Proof prove(const Scenario& scenario, const Mechanism& mechanism, const Progress& progress = {});

// Distances over the pairs and priors, recomputed from the scenario. Within a blur, w_inf is an upper bound
// over the true laws, and w_1 is that of the nominal ones.
Sensitivity measure_sensitivity(const Scenario& scenario);
// Of a plan, which states none where whole rows trade places.
Sensitivity measure_sensitivity(const Plan& plan);

// Returns the recomputed witness, or throws Error (guarantee) that names the first number that is wrong.
Witness verify(const Plan& plan);
// The same of a plan and the file that it was read from: what is proved is what the file says by the proof's
// own reader (proof/claimed_plan.h), and that it says the same to both is checked.
Witness verify(const Plan& plan, const Json& file, const std::string& place);

}  // namespace fugu::inline in_verify
