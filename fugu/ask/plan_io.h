// Plans from files, read and proved.
#pragma once

#include <string>
#include <variant>

#include "fugu/plan/model_plan.h"
#include "fugu/plan/plan.h"

namespace fugu::inline in_ask {

struct ProvedPlan {
  Plan plan;
  Witness witness;
};

struct ProvedModelPlan {
  ModelPlan plan;
  ModelWitness witness;
};

// Reads a plan of either kind ("-" is standard input) and verifies it. Error (io, data, guarantee), naming
// the file.
std::variant<ProvedPlan, ProvedModelPlan> read_and_verify_any(const std::string& path);

// The same of a file that was read already, where only the plan of a table will do: `place` names it.
Plan verified_table_plan(const Json& json, const std::string& place);

// The same where only the plan of a table will do. Error (usage) for that of a model.
ProvedPlan read_and_verify(const std::string& path);

}  // namespace fugu::inline in_ask
