// Whether an event happened too often, or too rarely, for its chance: bounds that hold for any number of
// rows.
//
// Rows may have chances of their own, as long as they are independent: beyond the mean and one, a sum of
// such rows has lighter tails than the binomial law of the mean chance (Hoeffding 1956, theorem 4), whose
// tail is bounded with interval arithmetic. So a stated false-alarm rate is never exceeded.
#pragma once

#include <cstddef>
#include <cstdint>

#include "fugu/core/interval.h"

namespace fugu::inline in_audit {

inline constexpr size_t kFewestRows = 20;  // of a secret, for a test to be worth it

// low <= P <= high.
struct Chance {
  double low = 0, high = 1;
};
// Rounded outward.
Chance chance_of(const Interval& bounds);
// That two independent events both happen or both do not.
Chance agreement(const Chance& a, const Chance& b);

// How often an event was seen in independent rows, and what its chances were.
class Trials {
 public:
  void add(bool happened, const Chance& chance) {
    ++rows_;
    seen_ += happened ? 1 : 0;
    least_ += chance.low;
    most_ += chance.high;
  }
  uint64_t rows() const { return rows_; }
  uint64_t seen() const { return seen_; }

  // An upper bound of the probability of so many, or more; and of so few, or fewer. 1 where the count is not
  // beyond its mean; 0 where it is impossible.
  double rarity_of_many() const;
  double rarity_of_few() const;

 private:
  uint64_t rows_ = 0, seen_ = 0;
  double least_ = 0, most_ = 0;  // sums of the chances' ends
};

}  // namespace fugu::inline in_audit
