// Theorem 2 and its harmonic sharpening: conditions on each row and column of the transport plans.
//
// A row is the mass that leaves one atom, a column the mass that arrives at one, split by the distance it
// travels. Each condition is monotone in the scale and holds at Theorem 1's scale for the row's largest
// distance (docs/math.md, section 4). With delta, the mass that travels farthest is spared, as in Theorem 1:
// each condition is then on what is kept, against the whole row (arithmetic) or with the whole row's help
// (harmonic).
#pragma once

#include "fugu/calibrate/methods.h"

namespace fugu::inline in_calibrate {

// How the costs of a row are averaged: log sum share e^cost, or -log sum share e^-cost.
enum class Mean { kArithmetic, kHarmonic };

// The least scale, rounded up to a double, at which the mean cost of every row and column of every pair's
// plan is at most epsilon. The harmonic mean may need none (0).
Scale least_scale_for_rows(const Task& task, Mean mean);

}  // namespace fugu::inline in_calibrate
