// How one shape of noise is cut into tables, and the exact thresholds of each (docs/math.md, section 13).
//
// The middle is drawn number by number. The tails are geometric, so they are drawn in blocks of `block`
// numbers: which block, then where in it, digit by digit, for the digits of a geometric number are
// independent: digit d of weight `unit` has probability proportional to r^(d unit). Beyond the last block the
// noise is geometric again: it starts afresh there.
#pragma once

#include <vector>

#include "fugu/mechanism/noise.h"
#include "fugu/sample/thresholds.h"

namespace fugu::inline in_sample {

// The widest tail that is drawn, in steps: its ratio is e^(-1/width).
inline constexpr double kMaxTailWidth = 0x1p52;
inline constexpr size_t kMaxInsideDigits = 4;  // which that width needs

struct NoiseLayout {
  bool has_tails = false;
  int64_t reach = 0;
  int64_t blocks = 0;            // on each side, before the noise starts afresh
  int64_t block = 1;             // numbers in a block: 2 to the sum of `digits`
  std::vector<unsigned> digits;  // binary digits of each digit inside a block, the lowest first
  int64_t fresh_blocks = 0;      // of the table that draws a fresh start; at least 1 with tails

  int64_t edge() const { return reach + blocks * block; }
};

// Chosen for speed alone: every layout draws the same law.
// Error (usage) when the tail is wider than kMaxTailWidth.
NoiseLayout layout_of(const Noise& noise);

// Outcomes of the first table: far below, `blocks` blocks, -reach … reach, `blocks` blocks, far above.
// Without tails only the middle.
class MiddleThresholds : public Thresholds {
 public:
  MiddleThresholds(const Noise& noise, const NoiseLayout& layout);
  size_t count() const override { return outcomes_ - 1; }
  LeadingDigits leading(size_t k, uint64_t bits) const override;

 private:
  NoiseLayout layout_;
  Dyadic ratio_;
  // Weights times the ratio's denominator less its numerator, which makes those of the tails integers.
  Integer left_, right_;       // of each tail
  std::vector<Integer> sums_;  // of the left tail and the middle up to each number
  Integer total_;
  size_t outcomes_;
};

// Outcomes 0 … base - 1 of a digit, or, unbounded, 0 … base - 1 and "more".
class DigitThresholds : public Thresholds {
 public:
  enum class Top { kBounded, kUnbounded };
  DigitThresholds(Dyadic ratio, int64_t unit, int64_t base, Top top);
  size_t count() const override { return static_cast<size_t>(top_ == Top::kBounded ? base_ - 1 : base_); }
  LeadingDigits leading(size_t k, uint64_t bits) const override;

 private:
  Dyadic ratio_;
  int64_t unit_, base_;
  Top top_;
};

}  // namespace fugu::inline in_sample
