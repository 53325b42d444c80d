// Plans of models and their proofs as text for people, and the verifier's answer as JSON.
#pragma once

#include <string>

#include "fugu/core/json.h"
#include "fugu/plan/model_plan.h"

namespace fugu::inline in_report {

std::string model_plan_text(const ModelPlan& plan);

// The parts of it, for whoever sets them otherwise: one sentence each, without a full stop.
std::string hides_words(const ModelPlan& plan);
std::string guarantee_words(const ModelPlan& plan);
std::string noise_words(const ModelPlan& plan);
std::string error_words(const ModelPlan& plan);
std::string loss_words(const ModelWitness& witness);

// What verify() proved of the plan. `witness` is what it returned.
std::string verified_text(const ModelPlan& plan, const ModelWitness& witness);
// {"verified": true, "epsilon", "delta", "loss", "prior", "pair", "output"}.
Json verified_to_json(const ModelPlan& plan, const ModelWitness& witness);

}  // namespace fugu::inline in_report
