#include "fugu/law/weights.h"

#include <algorithm>
#include <iterator>

namespace fugu::inline in_law {

Weights::Weights(std::vector<uint64_t> values) : small_(std::move(values)) {
  Wide total = 0;
  for (size_t k = 0; k < small_.size(); ++k) {
    if (k % kStride == 0) sums_.push_back(static_cast<uint64_t>(total));
    total += small_[k];
  }
  total_ = to_integer(total);
  if (total >> 63 == 0) return;
  for (uint64_t value : small_) big_.emplace_back(value);
  small_.clear();
  sums_.clear();
}

Weights::Weights(std::vector<Integer> values) : big_(std::move(values)) {
  for (const Integer& value : big_) total_ += value;
  if ((total_ >> 63) != 0) return;
  std::vector<uint64_t> narrow;
  narrow.reserve(big_.size());
  for (const Integer& value : big_) narrow.push_back(static_cast<uint64_t>(value));
  *this = Weights(std::move(narrow));
}

Weights::Place Weights::find(uint64_t unit) const {
  const auto after = std::upper_bound(sums_.begin(), sums_.end(), unit);
  Place place{static_cast<size_t>(after - sums_.begin() - 1) * kStride, *std::prev(after)};
  while (place.before + small_[place.index] <= unit) place.before += small_[place.index++];
  return place;
}

Weights Weights::in_proportion(const std::vector<Rational>& values) {
  Integer common(1);
  for (const Rational& value : values) common = lcm(common, denominator(value));
  std::vector<Integer> scaled;
  scaled.reserve(values.size());
  for (const Rational& value : values) scaled.emplace_back(numerator(value) * (common / denominator(value)));
  return Weights(std::move(scaled));
}

}  // namespace fugu::inline in_law
