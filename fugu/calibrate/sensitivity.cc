#include <algorithm>

#include "fugu/calibrate/methods.h"
#include "fugu/transport/distances.h"

namespace fugu {

Scale sensitivity_scale(const Task& task) {
  int64_t steps = 0;
  for (const Prior& prior : task.scenario.priors) {
    steps = std::max(steps, largest_range(prior.given, task.scenario.pairs));
  }
  return task.family.scale_for(Rational(task.scenario.lattice.step * steps), task.scenario.epsilon.value());
}

}  // namespace fugu
