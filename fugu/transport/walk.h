// The monotone coupling of two distributions, walked in exact integers (docs/math.md, section 1).
//
// Both cumulative sums are walked with two pointers, moving the smaller remainder each time. With masses
// a_k/A and b_k/B the walk uses a_k*B and b_k*A over the common denominator A*B, so there is no rounding at
// all.
#pragma once

#include <cstdint>
#include <span>
#include <utility>

#include "fugu/law/distribution.h"

namespace fugu::inline in_transport {

// Calls visit(i, j, mass) for every cell of the coupling, in order; `mass` is over the denominator A*B.
// `Number` must hold A*B.
template <class Number, class Weight, class Visit>
void walk_weights(std::span<const Weight> from, const Number& from_total, std::span<const Weight> to,
                  const Number& to_total, Visit&& visit) {
  size_t i = 0, j = 0;
  Number left = Number(from[0]) * to_total, right = Number(to[0]) * from_total;
  for (;;) {
    if (left < right) {
      visit(i, j, left);
      right -= left;
      if (++i == from.size()) return;
      left = Number(from[i]) * to_total;
    } else if (right < left) {
      visit(i, j, right);
      left -= right;
      if (++j == to.size()) return;
      right = Number(to[j]) * from_total;
    } else {
      visit(i, j, left);
      ++i;
      ++j;
      if (i == from.size() || j == to.size()) return;
      left = Number(from[i]) * to_total;
      right = Number(to[j]) * from_total;
    }
  }
}

// The same with the narrowest integers that hold A*B: visit takes uint64_t, Wide or Integer.
template <class Visit>
void walk_coupling(const Distribution& from, const Distribution& to, Visit&& visit) {
  const Weights& a = from.weights();
  const Weights& b = to.weights();
  if (a.is_small() && b.is_small()) {
    auto from_total = static_cast<uint64_t>(a.total()), to_total = static_cast<uint64_t>(b.total());
    if (Wide(from_total) * to_total >> 64 == 0) {
      walk_weights<uint64_t>(a.small(), from_total, b.small(), to_total, visit);
    } else {
      walk_weights<Wide>(a.small(), Wide(from_total), b.small(), Wide(to_total), visit);
    }
    return;
  }
  auto widen = [](const Weights& weights) {
    std::vector<Integer> result;
    for (size_t k = 0; k < weights.size(); ++k) result.push_back(weights.at(k));
    return result;
  };
  std::vector<Integer> left = widen(a), right = widen(b);
  walk_weights<Integer>(std::span<const Integer>(left), a.total(), std::span<const Integer>(right), b.total(),
                        visit);
}

inline Integer exact_integer(uint64_t value) { return Integer(value); }
inline Integer exact_integer(Wide value) { return to_integer(value); }
inline const Integer& exact_integer(const Integer& value) { return value; }

}  // namespace fugu::inline in_transport
