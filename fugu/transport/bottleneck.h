// How far mass must travel when a value has several columns (docs/math.md, section 11).
//
// The distance of two joint values is sum_c |x_c - x'_c| / w_c. In more than one dimension there is no
// monotone coupling: the least farthest distance is found by searching the distances themselves, with an
// integer maximum flow for each.
#pragma once

#include <cstdint>
#include <vector>

#include "fugu/scenario/columns.h"

namespace fugu::inline in_transport {

// The least t such that a coupling of the two moves no mass farther than t: W_inf, in units of `steps`. The
// atoms are indices into `points`. Error (guarantee) when there are too many pairs of atoms, or when the
// totals are too large to multiply.
int64_t bottleneck_distance(const Distribution& from, const Distribution& to,
                            const std::vector<Point>& points, const WeightedSteps& steps);

// The largest over the pairs and priors, in data units over weights. Errors of both.
Rational largest_bottleneck(const Scenario& scenario);

// The largest distance of x possible under one secret and x' under the other, over the pairs and priors.
struct JointRange {
  Rational distance{0};
  size_t prior = 0;
  SecretPair pair{0, 1};  // the first that attains it
};
// Where more than 16 columns vary: widest_sum_of_ranges().
JointRange widest_joint_range(const Scenario& scenario);
// No less: the sum over the columns of the range of the prior's values.
JointRange widest_sum_of_ranges(const Scenario& scenario);
inline Rational largest_joint_range(const Scenario& scenario) {
  return widest_joint_range(scenario).distance;
}

}  // namespace fugu::inline in_transport
