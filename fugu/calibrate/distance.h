// The distances that the closed-form methods calibrate to, in data units.
#pragma once

#include "fugu/calibrate/methods.h"

namespace fugu::inline in_calibrate {

// The largest W_inf over pairs and priors; where the noise has a cost bound and there is a delta, the
// farthest that the plans move mass after sparing delta of it (docs/math.md, section 3). Of several columns
// in units of their weights, as the scale is (section 11). Error (guarantee) where that takes too long.
Rational transport_distance(const Task& task);

// The largest distance of possible values (section 2).
Rational range_distance(const Task& task);

// Delta, or Error (guarantee) when it is 0: the closed forms for Gaussian noise need some.
const Rational& positive_delta(const Task& task);

// The scale of the family for a distance; a Gaussian needs a positive delta for any distance but 0.
Scale scale_for_distance(const Task& task, const Rational& distance);

}  // namespace fugu::inline in_calibrate
