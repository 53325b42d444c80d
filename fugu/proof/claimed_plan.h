// What the file of a table's plan claims, read by code of its own: the laws, the promise, the mechanism.
//
// `fugu verify` decides on privacy by this and proof/prove.h alone; that the other reader of plans
// (plan/plan.h), whose plan is released by, sees the same claim is checked besides.
#pragma once

#include <optional>
#include <string>

#include "fugu/core/json.h"
#include "fugu/proof/prove.h"

namespace fugu::inline in_proof {

struct ClaimedPlan {
  Claim claim;                     // of an axis only the lattice
  std::optional<BoxedLaws> boxed;  // with a confidence
  Mechanism mechanism;
};

// Nullopt for a plan whose laws a model states: it is no table's. Error (data, guarantee) where the file is
// no plan, or no bounds hold.
std::optional<ClaimedPlan> read_claim(const Json& plan, const std::string& place);

// Whether two claims are the same to a proof.
bool same_claim(const Claim& a, const Claim& b);

}  // namespace fugu::inline in_proof
