// Plans and their proofs as text for people, and the verifier's answer as JSON.
#pragma once

#include <string>

#include "fugu/core/json.h"
#include "fugu/plan/plan.h"

namespace fugu::inline in_report {

// The whole plan, private numbers of the owner excepted: no counts.
std::string covers_words(const Scenario& scenario);
std::string plan_text(const Plan& plan);

// A few lines: the noise, its error, what is proved; which groups of the given columns are not covered.
std::string plan_summary(const Plan& plan);

// The parts of these, for whoever sets them otherwise: one sentence each, without a full stop.
std::string guarantee_words(const Plan& plan);
std::string noise_words(const Plan& plan);
// Without what a statement does not tell.
std::string public_noise_words(const Plan& plan);
std::string error_words(const Plan& plan);
std::string loss_words(const Plan& plan, const Witness& witness);

// What verify() proved of the plan. `witness` is what it returned.
std::string verified_text(const Plan& plan, const Witness& witness);
// {"verified": true, "epsilon", "delta", "loss", "prior", "pair", "output", "leakage"}.
Json verified_to_json(const Plan& plan, const Witness& witness);

}  // namespace fugu::inline in_report
