#include "fugu/calibrate/distance.h"
#include "fugu/calibrate/methods.h"

namespace fugu::inline in_calibrate {

Scale kantorovich_scale(const Task& task) { return scale_for_distance(task, transport_distance(task)); }

}  // namespace fugu::inline in_calibrate
