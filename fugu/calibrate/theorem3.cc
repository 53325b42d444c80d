#include "fugu/calibrate/distance.h"
#include "fugu/calibrate/methods.h"
#include "fugu/core/error.h"
#include "fugu/mechanism/gaussian.h"

namespace fugu::inline in_calibrate {

Scale theorem3a_scale(const Task& task) {
  if (task.scenario.epsilon.value() > 1) {
    throw Error(ErrorKind::kUsage, "--method theorem3a holds for epsilon up to 1 only",
                "use theorem3b, kantorovich or exact");
  }
  return Gaussian::theorem_3a(transport_distance(task), task.scenario.epsilon.value(), positive_delta(task));
}

Scale theorem3b_scale(const Task& task) {
  return Gaussian::theorem_3b(transport_distance(task), task.scenario.epsilon.value(), positive_delta(task));
}

}  // namespace fugu::inline in_calibrate
