// What a plan does to one row of a person, where several rows of each are released (scenario/bags.h).
#pragma once

#include "fugu/plan/plan.h"

namespace fugu::inline in_plan {

// The plan of the released columns: its scenario is one_row(), its mechanism that of every row. The promise
// is that of the whole plan, whose witness, method and words it keeps. The same plan where a person has one
// row. Error (guarantee) unless every row has the same noise.
Plan one_row(const Plan& plan);
bool rows_are_alike(const Plan& plan);

}  // namespace fugu::inline in_plan
