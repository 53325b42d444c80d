// The smallest double that a decision accepts.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

namespace fugu::inline in_core {

// With `accept` monotone for x > 0 (false below some point, true above) this is the least accepted double of
// `bits` significant bits; a refusal for want of digits only errs upward. Without, it is an accepted double
// next to a refused one. `known` > 0 is known to be accepted, is never asked about, and comes back when
// nothing less is found; `guess` saves time: the search starts there.
template <class Accept>
double smallest_accepted(Accept accept, double guess, double known, int bits = 53) {
  // The bit patterns of positive doubles are ordered like the doubles.
  const int spare = 53 - bits;
  auto up_to_grid = [&](double x) {
    return (std::bit_cast<uint64_t>(x) + (uint64_t{1} << spare) - 1) >> spare;
  };
  auto value = [&](uint64_t grid) { return std::bit_cast<double>(grid << spare); };
  const uint64_t top = up_to_grid(known);  // value(top) >= known: accepted
  if (!(guess > 0) || guess > known) guess = known;

  // From the guess, in growing strides, to a refused `low` and an accepted `high`. Zero counts as refused.
  uint64_t low = 0, high = top, at = std::min(up_to_grid(guess), top - 1), stride = 1;
  if (accept(value(at))) {
    for (high = at; high > 1; high = at, stride *= 4) {
      at = high > stride ? high - stride : 1;
      if (accept(value(at))) continue;
      low = at;
      break;
    }
  } else {
    for (low = at; low + stride < top; low = at, stride *= 4) {
      at = low + stride;
      if (!accept(value(at))) continue;
      high = at;
      break;
    }
  }
  while (high - low > 1) {
    uint64_t middle = low + (high - low) / 2;
    (accept(value(middle)) ? high : low) = middle;
  }
  return value(high) < known ? value(high) : known;
}

}  // namespace fugu::inline in_core
