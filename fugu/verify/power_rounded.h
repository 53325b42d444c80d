// Powers of a matrix of probabilities and ratios of their entries, in whichever way the thread rounds
// (verify/rounding.h). Matrices are n x n, row by row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fugu::inline in_verify {

using Doubles = std::vector<double>;

Doubles rounded_product(const Doubles& a, const Doubles& b, size_t n);
// The law after one step.
Doubles after_step(const Doubles& law, const Doubles& matrix);

// The functions below bound from above when rounding up.

// [x * n + y]: the largest high[u,x] / low[u,y] over the rows u that count; infinite where low may be 0 and
// high not.
Doubles largest_ratios(const Doubles& high, const Doubles& low, const std::vector<bool>& counts);
// [x * n + y] = high[y] / low[x].
Doubles odds(const Doubles& low, const Doubles& high);
// The largest high[x] / low[x] where the law has mass.
double largest_share(const Doubles& high, const Doubles& low);

// Of the product of three tables over two different states of a set, with the states; infinite where that
// cannot be told. A table that is not there is 1 everywhere.
struct LargestProduct {
  double value = 0;
  size_t x = 0, y = 1;
};
LargestProduct largest_product(const double* a, const double* b, const double* c,
                               const std::vector<size_t>& states, size_t n);

// The largest (max - min) / min of a column over the rows that count.
double largest_spread(const Doubles& low, const Doubles& high, const std::vector<bool>& counts);
// The largest total variation of two rows that count; at most 1.
double largest_variation(const Doubles& low, const Doubles& high, const std::vector<bool>& counts);
// spread times the factors[k] for which the number's binary digit k, below the top one, is 1.
double shrunk(double spread, const Doubles& factors, uint64_t number);

// count * cost + more.
double rounded_cost(uint64_t count, double cost, double more);

}  // namespace fugu::inline in_verify
