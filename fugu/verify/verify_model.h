// The verifier of plans of models: takes the model, the budget and the exact noise, proves by the plan's
// method, and compares every other number.
#pragma once

#include "fugu/core/progress.h"
#include "fugu/plan/model_plan.h"

namespace fugu::inline in_verify {

struct ModelProof {
  bool holds = false;
  ModelWitness witness;  // its bound is at most epsilon (or delta) when the proof holds
};

// By the way that the method names: verify/crowd.h, verify/quilt.h, verify/rate.h. Where a witness is stated
// and borne out (its bound is not below what was proved, and nowhere is more lost for certain than at its
// place) it is the proof's. Error (data) for a method that the model does not have, or that cannot prove a
// budget with delta.
ModelProof prove(const Model& model, const Budget& budget, const std::string& method, const Noise& noise,
                 const ModelWitness* stated = nullptr, const Progress& progress = {});

// Returns the witness, borne out, or throws Error (guarantee) that names the first number that is wrong.
ModelWitness verify(const ModelPlan& plan, const Progress& progress = {});

}  // namespace fugu::inline in_verify
