// What nobody should read into a promise, in sentences. They name columns, no value of the table.
#pragma once

#include <string>
#include <vector>

#include "fugu/plan/model_plan.h"
#include "fugu/plan/plan.h"

namespace fugu::inline in_report {

std::vector<std::string> limits_of(const Plan& plan);
std::vector<std::string> limits_of(const ModelPlan& plan);

}  // namespace fugu::inline in_report
