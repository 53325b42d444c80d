// A channel: what each possible value is replaced by, as one table of integers for each input.
//
// The value inputs[i] becomes outputs[k] with probability proportional to weights[i][k]. These integers are
// what is drawn, so they are what is proved (docs/math.md, section 8).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fugu/core/json.h"
#include "fugu/core/lattice.h"
#include "fugu/core/number.h"

namespace fugu::inline in_mechanism {

// Invariants: inputs and outputs are lattice indices, strictly increasing, not empty; one row of weights for
// each input, one weight for each output; none negative, some positive in every row and every column.
struct Channel {
  std::vector<int64_t> inputs;
  std::vector<int64_t> outputs;
  std::vector<std::vector<Integer>> weights;

  Integer row_total(size_t input) const;
  // Each input becomes itself.
  bool is_identity() const;
  // The mean output of every input is that input.
  bool is_unbiased() const;
  friend bool operator==(const Channel&, const Channel&) = default;
};

// Each value becomes itself.
Channel identity_channel(const std::vector<int64_t>& values);

// The members of a plan's "mechanism" that make the channel.
Json channel_to_json(const Channel& channel, const Lattice& lattice);
// Error (data) with `place` when the table breaks an invariant.
Channel channel_from_json(const Json& json, const Lattice& lattice, const std::string& place);

}  // namespace fugu::inline in_mechanism
