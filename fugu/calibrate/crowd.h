// The least noise for a sum over independent users (docs/math.md, section 12).
//
//   ModelPlan plan = calibrate(crowd, {epsilon, delta}, "laplace");
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fugu/calibrate/calibrate.h"
#include "fugu/models/crowd.h"
#include "fugu/plan/model_plan.h"

namespace fugu::inline in_calibrate {

// Without delta by lemma2, with delta by exact; an empty method is whichever serves. The plan that comes back
// verifies. Error (usage) for a method or a noise that does not serve the budget, Error (guarantee) when no
// scale could be proved.
ModelPlan calibrate(const Crowd& crowd, const Budget& budget, std::string_view noise,
                    std::string_view method = {}, const Progress& progress = {});

// Lemma 2, and with delta the exact scale of each noise, each proved.
std::vector<Candidate> compare(const Crowd& crowd, const Budget& budget,
                               const std::vector<std::string>& noises, const Progress& progress = {});

}  // namespace fugu::inline in_calibrate
