// Plans from files, read and proved.
#pragma once

#include <string>

#include "fugu/plan/plan.h"

namespace fugu::cli {

struct ProvedPlan {
  Plan plan;
  Witness witness;
};

// Reads the plan ("-" is standard input) and verifies it. Error (io, data, guarantee), naming the file.
ProvedPlan read_and_verify(const std::string& path);

}  // namespace fugu::cli
