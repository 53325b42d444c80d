// Exact cumulative probabilities, one binary digit after another.
//
// Outcome k is drawn when exactly k of the thresholds T_0 <= T_1 <= … lie at or below a uniform number, so it
// has probability T_k - T_(k-1) (docs/math.md, section 13).
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "fugu/core/interval.h"
#include "fugu/core/number.h"

namespace fugu::inline in_sample {

// floor(2^bits T), and whether 2^bits T is that integer.
struct LeadingDigits {
  Integer floor;
  bool whole = false;
};

// T_0 <= T_1 <= … <= T_(count - 1), with 0 <= T < 1.
class Thresholds {
 public:
  virtual ~Thresholds() = default;
  virtual size_t count() const = 0;
  virtual LeadingDigits leading(size_t k, uint64_t bits) const = 0;
};

// The digits of numerator / denominator. Precondition: 0 <= numerator, 0 < denominator.
LeadingDigits leading_digits(const Integer& numerator, const Integer& denominator, uint64_t bits);

// The digits of a number known by bounds: asks for more precision, from `first` bits on, until they decide.
// Precondition: where 2^bits T is an integer, the bounds coincide from some precision on. (They do when all
// is exact but one last division, which MPFR rounds correctly.)
LeadingDigits leading_digits(const std::function<Interval(Bits)>& bounds, uint64_t bits, Bits first);

// The thresholds of outcomes 0 … n-1 drawn in proportion to integer weights; those after the last positive
// weight are left out. Error (usage) when a weight is negative or none is positive.
class RowThresholds : public Thresholds {
 public:
  explicit RowThresholds(std::span<const Integer> weights);
  size_t count() const override { return sums_.size(); }
  LeadingDigits leading(size_t k, uint64_t bits) const override {
    return leading_digits(sums_[k], total_, bits);
  }

 private:
  std::vector<Integer> sums_;
  Integer total_{0};
};

}  // namespace fugu::inline in_sample
