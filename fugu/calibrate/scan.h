// The least scale found of a family whose loss need not fall as the scale grows: scan, refine, prove.
#pragma once

#include "fugu/calibrate/methods.h"

namespace fugu::inline in_calibrate {

// The least scale found at which the noise as it would be drawn is proved to attain the budget. Nothing rests
// on monotonicity: a scan in doubles over all scales, finer where it comes near the budget, finds where the
// least accepted region begins, and the scale that comes back is one whose integers the verifier accepted
// while those just below were refused. That no lesser scale would do is not proved.
// Error (guarantee) where no scale attains it, with the least epsilon that is attainable.
Scale scan_for_least_scale(const Task& task);

}  // namespace fugu::inline in_calibrate
