// Tables of probabilities, and the channels of integers that they become (docs/math.md, section 8).
#pragma once

#include <cstdint>
#include <vector>

#include "fugu/core/lattice.h"
#include "fugu/core/progress.h"
#include "fugu/mechanism/channel.h"
#include "fugu/mechanism/error_measure.h"
#include "fugu/mechanism/noise.h"
#include "fugu/scenario/scenario.h"

namespace fugu::inline in_calibrate {

using ChannelTable = std::vector<std::vector<double>>;  // by input, output; rows add up to 1

// What each output costs for each input, in doubles, within a few roundings.
ChannelTable costs_of(const ErrorMeasure& measure, const Lattice& lattice, const std::vector<int64_t>& inputs,
                      const std::vector<int64_t>& outputs);

// Laplace noise of that scale, its outcome moved to the nearest output.
ChannelTable folded_laplace(Scale scale, const Lattice& lattice, const std::vector<int64_t>& inputs,
                            const std::vector<int64_t>& outputs);

// In weights of 96 bits, without the outputs that never occur. An unbiased one's rows have exactly their
// input as mean.
Channel channel_of(const ChannelTable& table, const std::vector<int64_t>& inputs,
                   const std::vector<int64_t>& outputs, bool unbiased, const Progress& progress = {});

// An unbiased channel that has room to spare, on few of the outputs: it is proved when the time is over.
// Precondition: unbiased_partner() finds one.
Channel unbiased_fallback(const Scenario& scenario, const std::vector<int64_t>& inputs,
                          const std::vector<int64_t>& outputs);

}  // namespace fugu::inline in_calibrate
