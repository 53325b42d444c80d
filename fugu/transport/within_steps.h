// Whether mass travels at most so far, asked of very many pairs of the same distributions (docs/math.md,
// section 1).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fugu/law/distribution.h"

namespace fugu::inline in_transport {

// Exact: cumulative masses are compared by their ranks among all of them, on the dense grid of values,
// several at a time. Where totals are large or values scattered it walks the pair's plan instead. The
// distributions must outlive it; several threads may ask.
class WithinSteps {
 public:
  explicit WithinSteps(std::span<const Distribution> distributions);
  // W_inf of the a-th and the b-th is at most `steps`. Precondition: steps >= 0.
  bool holds(size_t a, size_t b, int64_t steps) const;

 private:
  std::span<const Distribution> distributions_;
  size_t width_ = 0;            // of the grid; 0 where plans are walked
  std::vector<int32_t> ranks_;  // by distribution, then value; 0 where nothing is below
};

}  // namespace fugu::inline in_transport
