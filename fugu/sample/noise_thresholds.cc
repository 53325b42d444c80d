#include "fugu/sample/noise_thresholds.h"

#include <algorithm>
#include <cmath>

#include "fugu/core/error.h"

namespace fugu::inline in_sample {
namespace {

constexpr double kWidestInBlocks = 256;  // of the tail; its table is then some 4000 outcomes long
constexpr double kStartsAfresh = 0x1p-12;
constexpr unsigned kMostDigits = 13;

// -1 / log(ratio), near enough to choose a layout. Precondition: 0 < ratio < 1.
double width(const Dyadic& ratio) {
  const Integer denominator = Integer(1) << ratio.bits;
  const double rest = Rational(denominator - ratio.numerator, denominator).convert_to<double>();
  if (rest < 0.5) return -1 / std::log1p(-rest);
  return -1 / log(Interval(ratio.value(), 64)).lower();
}

Bits enough(const Dyadic& ratio, uint64_t bits) { return static_cast<Bits>(bits + ratio.bits + 128); }

Interval power(const Dyadic& ratio, int64_t exponent, Bits precision) {
  return pow(Interval(ratio.value(), precision), static_cast<uint64_t>(exponent));
}

}  // namespace

NoiseLayout layout_of(const Noise& noise) {
  NoiseLayout layout;
  layout.reach = noise.reach();
  layout.has_tails = noise.tail.numerator > 0;
  if (!layout.has_tails) return layout;
  const double steps = width(noise.tail);
  if (!(steps <= kMaxTailWidth)) {
    throw Error(ErrorKind::kUsage, "the tail of this noise is wider than 2^52 steps",
                "give a coarser --step");
  }
  const auto ends = Rational(noise.weights.front() + noise.weights.back());
  const Rational tail = noise.tail.value();
  const auto beyond = Rational(ends * tail / ((1 - tail) * total_weight(noise))).convert_to<double>();
  auto digits = static_cast<unsigned>(std::max(0.0, std::ceil(std::log2(steps / kWidestInBlocks))));
  layout.block = int64_t{1} << digits;
  for (unsigned parts = (digits + kMostDigits - 1) / kMostDigits; parts > 0; --parts) {
    layout.digits.push_back((digits + parts - 1) / parts);
    digits -= layout.digits.back();
  }
  const double blocks = steps / static_cast<double>(layout.block);
  layout.blocks = static_cast<int64_t>(std::ceil(std::max(0.0, blocks * std::log(beyond / kStartsAfresh))));
  layout.fresh_blocks = static_cast<int64_t>(std::ceil(blocks * -std::log(kStartsAfresh)));
  return layout;
}

MiddleThresholds::MiddleThresholds(const Noise& noise, const NoiseLayout& layout)
    : layout_(layout), ratio_(noise.tail) {
  const Integer scale = (Integer(1) << ratio_.bits) - ratio_.numerator;
  left_ = noise.weights.front() * ratio_.numerator;
  right_ = noise.weights.back() * ratio_.numerator;
  Integer sum = left_;
  sums_.reserve(noise.weights.size());
  for (const Integer& weight : noise.weights) {
    sum += weight * scale;
    sums_.push_back(sum);
  }
  total_ = sum + right_;
  outcomes_ = sums_.size() + (layout.has_tails ? 2 * static_cast<size_t>(layout.blocks + 1) : 0);
}

LeadingDigits MiddleThresholds::leading(size_t k, uint64_t bits) const {
  if (!layout_.has_tails) return leading_digits(sums_[k], total_, bits);
  // What lies beyond `far` whole blocks has the tail's weight times ratio^(far block).
  const auto left = static_cast<size_t>(layout_.blocks);
  if (k >= left + 1 && k - left - 1 < sums_.size()) return leading_digits(sums_[k - left - 1], total_, bits);
  const bool is_left = k <= left;
  const auto far = static_cast<int64_t>(is_left ? left - k : k - left - sums_.size());
  return leading_digits(
      [&](Bits precision) {
        Interval mass =
            power(ratio_, far * layout_.block, precision) * Interval(is_left ? left_ : right_, precision);
        if (!is_left) mass = Interval(total_, precision) - mass;
        return mass / Interval(total_, precision);
      },
      bits, enough(ratio_, bits));
}

DigitThresholds::DigitThresholds(Dyadic ratio, int64_t unit, int64_t base, Top top)
    : ratio_(std::move(ratio)), unit_(unit), base_(base), top_(top) {}

// (1 - r^((k+1) unit)) / (1 - r^(base unit)), without the divisor when unbounded. With r = a/2^b, a odd, and
// n = base unit, the quotient is an integer over 2^(bn) - a^n, which is odd: it is below 1, so no number of
// binary digits writes it, and bounds decide every one.
LeadingDigits DigitThresholds::leading(size_t k, uint64_t bits) const {
  return leading_digits(
      [&](Bits precision) {
        const Interval one(Integer(1), precision);
        Interval mass = one - power(ratio_, (static_cast<int64_t>(k) + 1) * unit_, precision);
        if (top_ == Top::kBounded) mass /= one - power(ratio_, base_ * unit_, precision);
        return mass;
      },
      bits, enough(ratio_, bits));
}

}  // namespace fugu::inline in_sample
