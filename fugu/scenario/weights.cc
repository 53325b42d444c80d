#include "fugu/scenario/weights.h"

namespace fugu {

Weights::Weights(std::vector<uint64_t> values) : small_(std::move(values)) {
  Wide total = 0;
  for (uint64_t value : small_) total += value;
  total_ = to_integer(total);
  if (total >> 63 == 0) return;
  for (uint64_t value : small_) big_.emplace_back(value);
  small_.clear();
}

Weights::Weights(std::vector<Integer> values) : big_(std::move(values)) {
  for (const Integer& value : big_) total_ += value;
  if (total_ >> 63 != 0) return;
  for (const Integer& value : big_) small_.push_back(static_cast<uint64_t>(value));
  big_.clear();
}

Weights Weights::in_proportion(const std::vector<Rational>& values) {
  Integer common(1);
  for (const Rational& value : values) common = lcm(common, denominator(value));
  std::vector<Integer> scaled;
  scaled.reserve(values.size());
  for (const Rational& value : values) scaled.emplace_back(numerator(value) * (common / denominator(value)));
  return Weights(std::move(scaled));
}

}  // namespace fugu
