// What the state of a Markov chain at one time passes on to the next, in whichever way the thread rounds
// (verify/rounding.h; docs/math.md, section 12). Matrices are n x n, row by row.
#pragma once

#include "fugu/verify/count_rounded.h"

namespace fugu::inline in_verify {

// The law after one step.
Reals law_after(const Reals& law, const Reals& matrix);
// [x * n + y] = before[y] * matrix[y,x] / after[x]: the law of the state before, given the one after. A bound
// on one side from bounds of `before` and `matrix` on that side, and of `after` on the other.
Reals step_back(const Reals& before, const Reals& matrix, const Reals& after);

// The functions below bound from above when rounding up.

// The largest high[x] / low[x] where the law has mass.
long double farthest_share(const Reals& high, const Reals& low);
Reals times(const Reals& a, const Reals& b);
Reals times(const Reals& a, long double b);

// [u * n + v] = high[v] / low[u]; infinite where one of them has no mass.
Reals odds_between(const Reals& low, const Reals& high);
// Where that is less, best[k] becomes ratios[k] * cost.
void take_least(const double* ratios, long double cost, Reals& best);
// The lesser of table[k] and best[k] * odds[k], and of a table of one number the lesser of it and all of the
// latter. No odds are 1.
Reals limited(const Reals& table, const Reals& best, const Reals& odds);

// [u * n + v]: at least the least l >= 1 for which some k >= 0 has sum_y k(x,y) = step(u,x) for every x and
// sum_x k(x,y) growth(x,y) <= l step(v,y) for every y, when `low` <= step <= `high`; growth is 1 on the
// diagonal, and not below 1. The least itself for two states. Nothing rests on the guess.
Reals passed_on(const Reals& low, const Reals& high, const Reals& growth, const Reals& guess);

// The largest product of the three tables over two different states of a set. A table of one number is the
// same for all pairs.
struct PairGrowth {
  long double growth = 1;
  size_t u = 0, v = 1;
};
PairGrowth farthest_pair(const Reals& a, const Reals& b, const Reals& c, const std::vector<size_t>& states);

}  // namespace fugu::inline in_verify
