#include "fugu/sample/mechanism_sampler.h"

namespace fugu::inline in_sample {

ChannelSampler::ChannelSampler(const Channel& channel) : inputs_(channel.inputs), outputs_(channel.outputs) {
  for (const auto& row : channel.weights) rows_.emplace_back(row);
  const int64_t span = inputs_.back() - inputs_.front();
  if (span >= kDense) return;
  dense_.resize(static_cast<size_t>(span) + 1);
  for (size_t i = 0; i < inputs_.size(); ++i)
    dense_[static_cast<size_t>(inputs_[i] - inputs_.front())] = static_cast<uint32_t>(i);
}

MechanismSampler::MechanismSampler(const Mechanism& mechanism) {
  if (const Channel* channel = std::get_if<Channel>(&mechanism)) {
    channel_.emplace(*channel);
  } else if (const Swap* swap = std::get_if<Swap>(&mechanism)) {
    swap_.emplace(*swap);
    points_ = swap->strata.front().points;
  } else {
    noise_.emplace(std::get<Noise>(mechanism));
  }
}

}  // namespace fugu::inline in_sample
