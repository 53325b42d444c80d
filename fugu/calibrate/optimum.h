// The least error that privacy allows: over all additive noise, and over all channels (docs/math.md, sections
// 7 and 8).
//
// A linear programme finds it in doubles, a repair makes integers of it that the verifier accepts, and the
// error is recomputed from these.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fugu/calibrate/methods.h"
#include "fugu/solve/linear_programme.h"

namespace fugu {

// A linear programme with more coefficients than this is refused.
inline constexpr double kMostCoefficients = 3e7;

// Until when a task may go on, by its time limit.
Patience patience_of(const Task& task);

// Error (usage) for a confidence with a delta: the laws at different outputs cannot be chosen one by one
// then.
void check_confidence(const Task& task);

// Exactly what a double is, as lattice weights: floor(value * 2^bits).
Integer scaled_integer(double value, int bits);

}  // namespace fugu
