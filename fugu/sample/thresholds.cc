#include "fugu/sample/thresholds.h"

#include "fugu/core/error.h"

namespace fugu::inline in_sample {

LeadingDigits leading_digits(const Integer& numerator, const Integer& denominator, uint64_t bits) {
  Integer floor, rest;
  divide_qr(Integer(numerator << bits), denominator, floor, rest);
  return {std::move(floor), rest == 0};
}

LeadingDigits leading_digits(const std::function<Interval(Bits)>& bounds, uint64_t bits, Bits first) {
  for (Bits precision = first;; precision *= 2) {
    const Interval value = bounds(precision);
    const Integer floor = -(Interval(precision) - value).ceil_scaled(bits);  // of the lower end
    const Integer ceil = value.ceil_scaled(bits);                            // of the upper end
    if (ceil == floor) return {floor, true};
    if (ceil != floor + 1) continue;
    // Strictly between the two, or still on the edge?
    const auto exactly = static_cast<Bits>(bits + 64);
    const Rational unit(Integer(1), Integer(1) << bits);
    if (certainly_less(Interval(Rational(floor * unit), exactly), value) &&
        certainly_less(value, Interval(Rational(ceil * unit), exactly))) {
      return {floor, false};
    }
  }
}

RowThresholds::RowThresholds(std::span<const Integer> weights) {
  while (!weights.empty() && weights.back() == 0) weights = weights.first(weights.size() - 1);
  if (weights.empty()) {
    throw Error(ErrorKind::kUsage, "a row of weights has no positive weight",
                "give at least one outcome a weight");
  }
  sums_.reserve(weights.size());
  for (const Integer& weight : weights) {
    if (weight < 0) {
      throw Error(ErrorKind::kUsage, "a row of weights has a negative weight",
                  "weights are whole numbers from 0 on");
    }
    total_ += weight;
    sums_.push_back(total_);
  }
  sums_.pop_back();
}

}  // namespace fugu::inline in_sample
