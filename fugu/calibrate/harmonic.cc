#include "fugu/calibrate/methods.h"
#include "fugu/calibrate/rows.h"

namespace fugu {

Scale harmonic_scale(const Task& task) { return least_scale_for_rows(task, Mean::kHarmonic); }

}  // namespace fugu
