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
#include "fugu/sample/point_index.h"
#include "fugu/sample/swap_sampler.h"
#include "fugu/sample/table_sampler.h"

namespace fugu::inline in_sample {

// One table of thresholds for each input.
class ChannelSampler {
 public:
  explicit ChannelSampler(const Channel& channel);

  // Precondition: the value is an input.
  template <WordSource Words>
  int64_t draw(Words& words, int64_t value) const {
    return outputs_[rows_[inputs_.of(value)].draw(words)];
  }

 private:
  PointIndex inputs_;
  std::vector<int64_t> outputs_;
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
  std::optional<NoiseSampler> noise_;
  std::optional<ChannelSampler> channel_;
  std::optional<SwapSampler> swap_;
  std::optional<PointIndex> points_;  // of the swap
};

template <WordSource Words>
void MechanismSampler::release(Words& words, std::span<int64_t> values) const {
  if (channel_) {
    for (int64_t& value : values) value = channel_->draw(words, value);
    return;
  }
  if (swap_) {
    for (int64_t& value : values)
      value = (*points_)[swap_->draw(words, static_cast<uint32_t>(points_->of(value)))];
    return;
  }
  noise_->add(words, values);
}

}  // namespace fugu::inline in_sample
