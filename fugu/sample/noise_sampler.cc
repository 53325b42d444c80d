#include "fugu/sample/noise_sampler.h"

#include <cassert>

#include "fugu/core/error.h"

namespace fugu::inline in_sample {

NoiseSampler::NoiseSampler(const Noise& noise, NoiseLayout layout, unsigned digits)
    : layout_(std::move(layout)),
      is_none_(noise.is_none()),
      has_wide_blocks_(layout_.blocks > 0 && layout_.block > 1),
      zero_(layout_.reach + layout_.blocks + (layout_.has_tails ? 1 : 0)),
      last_(layout_.reach + layout_.blocks),
      middle_(std::make_shared<MiddleThresholds>(noise, layout_), digits) {
  assert(layout_.digits.size() <= kMaxInsideDigits);
  if (!layout_.has_tails) return;
  using Top = DigitThresholds::Top;
  int64_t unit = 1;
  for (unsigned width : layout_.digits) {
    const int64_t base = int64_t{1} << width;
    // In layout_of's blocks the digits are all but uniform: two cells for each keep the thresholds apart.
    inside_.emplace_back(std::make_shared<DigitThresholds>(noise.tail, unit, base, Top::kBounded), digits,
                         std::min(width + 1, digits));
    unit *= base;
  }
  assert(unit == layout_.block);
  fresh_ = std::make_unique<ThresholdTable>(
      std::make_shared<DigitThresholds>(noise.tail, unit, layout_.fresh_blocks, Top::kUnbounded), digits);
}

// Not for fresh starts. Without branches: half of the draws are negative, and no processor can tell which.
inline int64_t NoiseSampler::number(int64_t from_zero, int64_t inside) const {
  const int64_t negative = from_zero >> 63;  // all ones, or 0
  const int64_t distance = (from_zero ^ negative) - negative;
  const int64_t passed = distance - layout_.reach - 1;  // whole blocks; negative in the middle
  const int64_t in_tail = ~(passed >> 63);
  return ((distance + (in_tail & (passed * (layout_.block - 1) + inside))) ^ negative) - negative;
}

int64_t NoiseSampler::draw_inside(MoreWords more) const {
  int64_t inside = 0;
  unsigned shift = 0;
  for (size_t j = 0; j < inside_.size(); ++j) {
    inside += static_cast<int64_t>(inside_[j].draw(more)) << shift;
    shift += layout_.digits[j];
  }
  return inside;
}

// Beyond the last block the noise is edge + 1 + a geometric number, on the side it fell.
int64_t NoiseSampler::start_afresh(bool below, MoreWords more) const {
  int64_t distance = layout_.edge() + 1 + draw_inside(more);
  int64_t blocks = layout_.fresh_blocks;
  while (blocks == layout_.fresh_blocks) {
    blocks = fresh_->draw(more);
    distance += blocks * layout_.block;
    if (distance > int64_t{1} << 62) {
      throw Error(ErrorKind::kBug, "a draw of noise left the range of 64-bit integers", "report this");
    }
  }
  return below ? -distance : distance;
}

int64_t NoiseSampler::finish(int64_t from_zero, MoreWords more) const {
  if (from_zero > last_ || from_zero < -last_) return start_afresh(from_zero < 0, more);
  const bool in_middle = -layout_.reach <= from_zero && from_zero <= layout_.reach;
  return number(from_zero, in_middle ? 0 : draw_inside(more));
}

// A fresh start is rare enough for a branch: no draw waits for it.
void NoiseSampler::place(std::span<const uint64_t> words, std::span<int64_t> values, Scratch& scratch,
                         MoreWords more) const {
  if (has_wide_blocks_) return place_in_blocks(words, values, scratch.inside.first(values.size()), more);
  // Copies: what is written might change the members, for all that the compiler knows.
  const int64_t zero = zero_, last = last_;
  middle_.each(words, values.size(), more, [=, this](size_t k, uint32_t outcome) {
    const int64_t where = static_cast<int64_t>(outcome) - zero;
    values[k] += where <= last && where >= -last ? where : start_afresh(where < 0, more);
  });
}

void NoiseSampler::place_in_blocks(std::span<const uint64_t> words, std::span<int64_t> values,
                                   std::span<int64_t> inside, MoreWords more) const {
  const size_t part = (values.size() + 1) / 2;
  std::fill(inside.begin(), inside.end(), 0);
  unsigned shift = 0;
  for (size_t j = 0; j < inside_.size(); ++j) {
    inside_[j].each(words.subspan((j + 1) * part, part), inside.size(), more,
                    [=](size_t k, uint32_t digit) { inside[k] += static_cast<int64_t>(digit) << shift; });
    shift += layout_.digits[j];
  }
  middle_.each(words.first(part), values.size(), more, [=, this](size_t k, uint32_t outcome) {
    const int64_t where = from_zero(outcome);
    values[k] += where <= last_ && where >= -last_ ? number(where, inside[k]) : start_afresh(where < 0, more);
  });
}

}  // namespace fugu::inline in_sample
