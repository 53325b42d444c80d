// What a count of rows that traded places says of the true count (docs/estimate.md, "Rows that traded
// places").
//
// Rows are changed independently of each other, and in expectation as many enter a cell as leave it. Of a
// cell with T of the M rows that could be in it, let L rows leave in expectation, and as many enter; a row
// that leaves and one that enters both change, so 2 L is at most the expected number of changes. The count N
// has the mean T and, by Cauchy's inequality, the variance at most
//
//   L (1 - L / T) + L (1 - L / (M - T)),
//
// which is T (M - T) / M at most, and less where few rows change. Bennett's inequality for sums of
// independent variables within [-1, 1] of their means bounds how far N may lie from T.
#pragma once

#include <cstdint>

namespace fugu::inline in_estimate {

struct CountBounds {
  uint64_t low = 0, high = 0;
  double standard_error = 0;  // of the released count, at most, if the true one lies within the bounds
};

// Of a cell that `count` rows were released in, of the `among` that could be in it; `moved` is at least the
// number of rows that enter or leave it, in expectation. Each end misses the true count with a probability of
// at most `miss`, whatever that is; rounded outward. Preconditions: count <= among, moved >= 0, 0 < miss < 1.
CountBounds bounds_of_count(uint64_t count, uint64_t among, double moved, double miss);

// The largest variance of the count of a cell with `truth` of the `among` rows. Precondition: truth <= among.
double variance_of_count(double truth, double among, double moved);

}  // namespace fugu::inline in_estimate
