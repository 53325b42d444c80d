// Releases the numbers that a model's plan is about: exact noise on each, after the plan was proved.
#pragma once

#include <cstdint>
#include <vector>

#include "fugu/core/progress.h"
#include "fugu/plan/model_plan.h"

namespace fugu::inline in_release {

// Lattice indices in, lattice indices out. Errors of verify(); Error (io) when there is no entropy.
std::vector<int64_t> release_numbers(const ModelPlan& plan, std::vector<int64_t> truth,
                                     const Progress& progress = {});

}  // namespace fugu::inline in_release
