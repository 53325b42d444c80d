// Releases values through a mechanism, with exactly its probabilities (docs/math.md, section 13).
//
//   MechanismSampler sampler(plan.mechanism);   // shared by all threads
//   SecureRandom random;                        // one for each thread
//   sampler.release(random, values);            // lattice indices, replaced by what is released
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "fugu/mechanism/mechanism.h"
#include "fugu/sample/noise_sampler.h"
#include "fugu/sample/swap_sampler.h"
#include "fugu/sample/table_sampler.h"
#include "fugu/sample/wiped.h"

namespace fugu::inline in_sample {

// One table of thresholds for each input.
class ChannelSampler {
 public:
  explicit ChannelSampler(const Channel& channel);

  // Precondition: the value is an input.
  template <WordSource Words>
  int64_t draw(Words& words, int64_t value) const {
    return outputs_[rows_[row_of(value)].draw(words)];
  }

 private:
  static constexpr int64_t kDense = int64_t{1} << 20;  // of the inputs' span: looked up without a search

  size_t row_of(int64_t value) const {
    if (!dense_.empty()) return dense_[static_cast<size_t>(value - inputs_.front())];
    return static_cast<size_t>(std::lower_bound(inputs_.begin(), inputs_.end(), value) - inputs_.begin());
  }

  std::vector<int64_t> inputs_, outputs_;
  std::vector<uint32_t> dense_;
  std::vector<TableSampler> rows_;
};

class MechanismSampler {
 public:
  // Error (usage) when a tail is wider than can be drawn. Precondition: noise of one column, a channel, or a
  // swap without strata.
  explicit MechanismSampler(const Mechanism& mechanism);

  // Errors of NoiseSampler::draw(). Precondition: each value is an input of a channel, a point of a swap.
  template <WordSource Words>
  void release(Words& words, std::span<int64_t> values) const;

 private:
  static constexpr size_t kChunk = 512;
  std::optional<NoiseSampler> noise_;
  std::optional<ChannelSampler> channel_;
  std::optional<SwapSampler> swap_;
  std::vector<int64_t> points_;  // of the swap
};

template <WordSource Words>
void MechanismSampler::release(Words& words, std::span<int64_t> values) const {
  if (channel_) {
    for (int64_t& value : values) value = channel_->draw(words, value);
    return;
  }
  if (swap_) {
    for (int64_t& value : values) {
      const auto place = std::lower_bound(points_.begin(), points_.end(), value) - points_.begin();
      value = points_[swap_->draw(words, static_cast<uint32_t>(place))];
    }
    return;
  }
  WipedArray<int64_t, kChunk> scratch;
  while (!values.empty()) {
    const std::span<int64_t> noise = scratch.first(std::min(values.size(), kChunk));
    noise_->draw(words, noise);
    for (size_t k = 0; k < noise.size(); ++k) values[k] += noise[k];
    values = values.subspan(noise.size());
  }
}

}  // namespace fugu::inline in_sample
