// The least noise that hides a table's rate (docs/math.md, section 12).
//
//   ModelPlan plan = calibrate(model, {epsilon, delta});
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fugu/core/progress.h"
#include "fugu/models/rate.h"
#include "fugu/plan/model_plan.h"

namespace fugu::inline in_calibrate {

struct RateMethod {
  std::string_view name, title;
};
// In the order of the noise that they need, as far as that can be said.
inline constexpr RateMethod kRateMethods[] = {
    {"group", "group privacy: by how much that many rows can change the number, whatever the laws are"},
    {"rows", "what one row says of its secret value, that many times"},
    {"part", "the same of one row among some of the others, whose randomness helps"},
    {"exact", "the law of the sum over all rows, every pair of rates"}};

// Lattice Laplace noise by the method; when it is empty by whichever of those that serve needs least. The
// plan that comes back verifies, and a note of it names the scale and the error of group privacy. Error
// (usage) for a method that does not serve, Error (guarantee) when no scale could be proved.
ModelPlan calibrate(const RateModel& model, const Budget& budget, std::string_view method = {},
                    const Progress& progress = {});

// Why a method does not serve; empty where it does.
std::string why_not(const RateModel& model, const Budget& budget, std::string_view method);

}  // namespace fugu::inline in_calibrate
