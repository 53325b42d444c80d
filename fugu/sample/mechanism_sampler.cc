#include "fugu/sample/mechanism_sampler.h"

namespace fugu::inline in_sample {

ChannelSampler::ChannelSampler(const Channel& channel) : inputs_(channel.inputs), outputs_(channel.outputs) {
  for (const auto& row : channel.weights) rows_.emplace_back(row);
}

MechanismSampler::MechanismSampler(const Mechanism& mechanism) {
  if (const Channel* channel = std::get_if<Channel>(&mechanism)) {
    channel_.emplace(*channel);
  } else if (const Swap* swap = std::get_if<Swap>(&mechanism)) {
    swap_.emplace(*swap);
    points_.emplace(swap->strata.front().points);
  } else {
    noise_.emplace(std::get<Noise>(mechanism));
  }
}

}  // namespace fugu::inline in_sample
