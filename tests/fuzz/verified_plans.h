// What must hold of a plan once it is verified. Only plans whose proof takes a fraction of a second are
// looked at: larger ones take minutes as they should.
#pragma once

#include "fugu/plan/model_plan.h"
#include "fugu/plan/plan.h"

namespace fugu::fuzz {

// The verifier says the same of a plan and, once more, of its file. What it accepts is borne out
// by the privacy loss in exact rationals where the plan is of one column; the plan is written in one way; its
// statement is refused or can be read. So is the plan with every fact put right, so that all depends on what
// is proved.
void check_verified(const Plan& plan);
void check_verified(const ModelPlan& plan);

}  // namespace fugu::fuzz
