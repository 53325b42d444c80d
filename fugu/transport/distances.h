// Distances over many pairs at once (docs/math.md, sections 1 and 2). All in lattice steps.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fugu/core/progress.h"
#include "fugu/scenario/scenario.h"

namespace fugu::inline in_transport {

// The largest W_inf over all pairs of the distributions, by one sweep over the merged quantile functions:
// max over u of (max_s Q_s(u) - min_s Q_s(u)). O(N log N) for N atoms in all, not O(S^2 n).
int64_t largest_w_inf(std::span<const Distribution> distributions);

// The same over the pairs of a set: the sweep for all pairs, the merges of those pairs for a list.
int64_t largest_w_inf(std::span<const Distribution> distributions, const PairSet& pairs);

// The same as an upper bound over every true law within the blur of each: larger than that of the nominal
// masses only where two of their cumulative masses are as good as equal. Equal where masses are exact.
int64_t most_w_inf(std::span<const Distribution> distributions, const PairSet& pairs);

// W_inf of every pair: row-major S x S, symmetric, zero on the diagonal. Uses every core.
std::vector<int64_t> w_inf_matrix(std::span<const Distribution> distributions, const Progress& progress = {});

// The largest |x - x'| over x possible under one secret and x' under the other, over the pairs (section 2).
int64_t largest_range(std::span<const Distribution> distributions, const PairSet& pairs);

// The largest mean distance over the pairs, by one walk for each.
Rational largest_w_1(std::span<const Distribution> distributions, const PairSet& pairs);

}  // namespace fugu::inline in_transport
