// Cumulative masses as integers that compare like them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "fugu/law/distribution.h"

namespace fugu::inline in_transport {

// Cumulative masses c/total in (0, 1] are compared by the keys floor(c * 2^64 / total) - 1. Two different
// fractions whose denominators are below 2^32 differ by more than 2^-64, so their keys differ and keep their
// order.
inline bool keys_are_exact(std::span<const Distribution> distributions) {
  return std::all_of(distributions.begin(), distributions.end(),
                     [](const Distribution& d) { return (d.total() >> 32) == 0; });
}

inline std::vector<uint64_t> cumulative_keys(const Distribution& distribution) {
  std::vector<uint64_t> keys;
  keys.reserve(distribution.size());
  auto total = static_cast<uint64_t>(distribution.total());
  uint64_t sum = 0;
  for (uint64_t weight : distribution.weights().small()) {
    sum += weight;
    // The last key, 1, would be 2^64: every key is lowered by one, which keeps order and equality.
    keys.push_back(static_cast<uint64_t>((Wide(sum) << 64) / total - 1));
  }
  return keys;
}

// The dense grid of all values from the lowest to the highest pays while it is not much wider than the
// supports.
inline bool is_dense(size_t width, size_t values) { return width <= 4 * values + 64; }

}  // namespace fugu::inline in_transport
