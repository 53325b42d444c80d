// The hockey-sticks between rates of a table, bounded: counts and sums with delta (docs/math.md, section 12).
//
// Two tables with k and k + j such rows have n - j rows in common. Where k lies in a block of numbers only
// the rows that all of the block have in common are counted on, so a bound of one block serves all of it;
// what the others add would hide more. Where the laws are ordered only tables as far apart as may be are
// looked at, else all.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "fugu/core/progress.h"
#include "fugu/law/budget.h"
#include "fugu/mechanism/noise.h"
#include "fugu/models/rate.h"
#include "fugu/verify/law_bounds.h"

namespace fugu::inline in_verify {

struct RatePeak {
  double upper = 0;                          // of every hockey-stick, rounded up
  std::pair<uint64_t, uint64_t> pair{0, 1};  // numbers of rows with the second secret, where it is largest
};

class RateSticks {
 public:
  // Preconditions: two secrets, no histogram, a delta, and they are few.
  RateSticks(const RateModel& model, const Budget& budget, const Progress& progress = {});
  // With this noise on the sum; none is a noise, too. The noise is Laplace.
  RatePeak peak(const Noise& noise) const;

  static bool are_few(const RateModel& model);

 private:
  // The sum given the rows in common and so many changing ones, without noise.
  struct Sticks {
    std::pair<uint64_t, uint64_t> pair;
    LawBounds without, with;
  };

  double growth_;
  std::vector<Sticks> sticks_;
};

}  // namespace fugu::inline in_verify
