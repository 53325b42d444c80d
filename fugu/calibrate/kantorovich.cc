#include "fugu/calibrate/distance.h"
#include "fugu/calibrate/methods.h"

namespace fugu {

Scale kantorovich_scale(const Task& task) { return scale_for_distance(task, transport_distance(task)); }

}  // namespace fugu
