#include <algorithm>

#include "fugu/calibrate/methods.h"
#include "fugu/calibrate/rows.h"

namespace fugu::inline in_calibrate {

Scale harmonic_scale(const Task& task) {
  if (task.scenario.is_joint()) return mean_scale(task);
  const Scale harmonic = least_scale_for_rows(task, Mean::kHarmonic);
  // Jensen's inequality puts it below Theorem 2's while whole rows are compared; where mass is spared, either
  // may be less.
  return task.scenario.delta.is_zero() ? harmonic
                                       : std::min(harmonic, least_scale_for_rows(task, Mean::kArithmetic));
}

}  // namespace fugu::inline in_calibrate
