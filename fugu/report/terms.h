// The words of a report that are not everyday ones, explained.
#pragma once

#include "fugu/core/json.h"
#include "fugu/plan/model_plan.h"
#include "fugu/plan/plan.h"

namespace fugu::inline in_report {

// [[term, what it means], …]: those that a report of this plan uses.
Json terms_of(const Plan& plan);
Json terms_of(const ModelPlan& plan);

}  // namespace fugu::inline in_report
