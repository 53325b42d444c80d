// The smallest double that a decision accepts.
#pragma once

#include <bit>
#include <cstdint>

namespace fugu {

// `accept(x)` must be monotone for x > 0: false below some point, true above (a refusal for want of digits counts as
// false, so the answer errs upward). Returns the least accepted double with `bits` significant bits, or `known`, which
// is known to be accepted and is never asked about, when that is less. `guess` only saves time: the search widens from
// it in both directions until it has a refused and an accepted end, then halves.
template <class Accept>
double smallest_accepted(Accept accept, double guess, double known, int bits = 53) {
  // The bit patterns of positive doubles are ordered like the doubles.
  const int spare = 53 - bits;
  auto up_to_grid = [&](double x) { return (std::bit_cast<uint64_t>(x) + (uint64_t{1} << spare) - 1) >> spare; };
  auto value = [&](uint64_t grid) { return std::bit_cast<double>(grid << spare); };
  const uint64_t top = up_to_grid(known);  // value(top) >= known: accepted
  if (!(guess > 0) || guess > known) guess = known;

  uint64_t low = 0, high = top;  // low refused (zero noise is decided elsewhere), high accepted
  uint64_t at = up_to_grid(guess);
  for (uint64_t stride = 1; low < at && at < high; stride *= 4) {
    if (accept(value(at))) {
      high = at;
      at = at > low + stride ? at - stride : low;
    } else {
      low = at;
      at = high - at > stride ? at + stride : high;
    }
    if (low != 0 && high != top) break;
  }
  while (high - low > 1) {
    uint64_t middle = low + (high - low) / 2;
    (accept(value(middle)) ? high : low) = middle;
  }
  return value(high) < known ? value(high) : known;
}

}  // namespace fugu
