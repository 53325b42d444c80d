// Tables of probabilities, and the channels of integers that they become (docs/math.md, section 8).
#pragma once

#include <cstdint>
#include <vector>

#include "fugu/core/lattice.h"
#include "fugu/mechanism/channel.h"
#include "fugu/mechanism/noise.h"

namespace fugu {

using ChannelTable = std::vector<std::vector<double>>;  // by input, output; rows add up to 1

// Laplace noise of that scale, its outcome moved to the nearest output.
ChannelTable folded_laplace(Scale scale, const Lattice& lattice, const std::vector<int64_t>& inputs,
                            const std::vector<int64_t>& outputs);

// In weights of 96 bits, without the outputs that never occur. An unbiased one's rows have exactly their
// input as mean.
Channel channel_of(const ChannelTable& table, const std::vector<int64_t>& inputs,
                   const std::vector<int64_t>& outputs, bool unbiased);

}  // namespace fugu
