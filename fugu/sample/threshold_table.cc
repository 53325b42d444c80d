#include "fugu/sample/threshold_table.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace fugu::inline in_sample {
namespace {

// Eight cells for each outcome: few cells then hold more than one threshold, and up to some thousand outcomes
// the guide stays in the second level of the cache.
unsigned default_guide(size_t outcomes, unsigned digits) {
  return std::clamp(static_cast<unsigned>(std::bit_width(outcomes)) + 3, std::min(10U, digits),
                    std::min(16U, digits));
}

}  // namespace

ThresholdTable::ThresholdTable(std::shared_ptr<const Thresholds> thresholds, unsigned digits, unsigned guide)
    : thresholds_(std::move(thresholds)), digits_(digits) {
  const unsigned unused = kDigits - digits;
  const size_t count = thresholds_->count();
  if (guide == kDefaultGuide) guide = default_guide(count + 1, digits);
  assert(guide <= digits && digits <= kDigits && count < kCrowded);
  mask_ = ~uint32_t{0} << unused;
  shift_ = kDigits - guide;
  leading_.reserve(count);
  for (size_t k = 0; k < count; ++k) {
    leading_.push_back(static_cast<uint32_t>(thresholds_->leading(k, digits).floor) << unused);
  }

  cells_.resize(size_t{1} << guide);
  size_t next = 0;
  for (size_t c = 0; c < cells_.size(); ++c) {
    const auto below = static_cast<uint32_t>(next);
    while (next < count && leading_[next] >> shift_ == c) ++next;
    const size_t inside = next - below;
    if (inside > 0) {
      cells_[c] = {leading_[below], inside == 1 ? below : below | kCrowded};
    } else if (c + 1 < cells_.size()) {
      cells_[c] = {~uint32_t{0}, below};  // which no digits of this cell reach
    } else {
      cells_[c] = {0, below - 1};  // which all digits of this cell pass
    }
  }
  if (count == 0) cells_.back() = {0, kCrowded};
}

uint32_t ThresholdTable::search(uint32_t digits, MoreWords more) const {
  const auto low = std::lower_bound(leading_.begin(), leading_.end(), digits);
  const auto high = std::upper_bound(low, leading_.end(), digits);
  return resolve(static_cast<size_t>(low - leading_.begin()), static_cast<size_t>(high - leading_.begin()),
                 digits, more);
}

// The thresholds before `low` are below the number, those from `high` on above it, and those between begin
// with the number's digits.
uint32_t ThresholdTable::resolve(size_t low, size_t high, uint32_t digits, MoreWords more) const {
  Integer number(digits >> (kDigits - digits_));
  uint64_t bits = digits_;
  while (low < high) {
    if (thresholds_->leading(low, bits).whole) {  // no digits but these: the number is not below it
      ++low;
      continue;
    }
    number = (number << digits_) + (more.word() >> (64 - digits_));
    bits += digits_;
    auto first = [&](size_t from, auto is_far) {
      size_t to = high;
      while (from < to) {
        const size_t middle = from + (to - from) / 2;
        if (is_far(thresholds_->leading(middle, bits).floor)) {
          to = middle;
        } else {
          from = middle + 1;
        }
      }
      return from;
    };
    low = first(low, [&](const Integer& threshold) { return threshold >= number; });
    high = first(low, [&](const Integer& threshold) { return threshold > number; });
  }
  return static_cast<uint32_t>(low);
}

}  // namespace fugu::inline in_sample
