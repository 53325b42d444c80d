// A sequence of states that is a Markov chain, and how often states occur in it (docs/math.md, section 12).
//
// The secret is the state at any one time; the chains are the beliefs an adversary may hold.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fugu/core/json.h"
#include "fugu/core/lattice.h"
#include "fugu/core/number.h"

namespace fugu::inline in_models {

// Invariants: a square matrix of probabilities, each row and `start` with a sum of exactly 1, as many as the
// model has states. Without a start the chain is stationary: its stationary law must be unique.
struct MarkovChain {
  std::string name;
  std::vector<std::vector<Rational>> transition;
  std::optional<std::vector<Rational>> start;
  friend bool operator==(const MarkovChain&, const MarkovChain&) = default;
};

// Invariants: 2 to 50 states, all different; at least one chain; 1 <= length <= 10^6.
struct ChainModel {
  static constexpr size_t kMostStates = 50;
  static constexpr uint64_t kLongest = 1'000'000;

  std::vector<std::string> states;
  std::vector<MarkovChain> chains;
  uint64_t length = 1;
  // What is released: how often this state occurs, or, without one, how often each does.
  std::optional<size_t> counted;
  bool frequency = false;  // as a share of the length instead of a count
  bool estimated = false;  // the chain was estimated from the very sequence
  friend bool operator==(const ChainModel&, const ChainModel&) = default;

  Lattice lattice() const;  // counts are whole numbers, frequencies multiples of 1 / length
  // By how many steps, summed over what is released, another state at one time changes it: 1, for a histogram
  // 2.
  int64_t steps_per_node() const { return counted ? 1 : 2; }
};

// The stationary law, exactly. Error (data) with `place` when it is not unique.
std::vector<Rational> stationary_law(const std::vector<std::vector<Rational>>& transition,
                                     const std::string& place);
// Of the first state.
std::vector<Rational> start_law(const MarkovChain& chain);

// The plan's "model", with "kind": "chain": the members of DESIGN's chain.json ("states", "chains") with
// "length", "counted", "frequency" and "estimated".
Json chain_to_json(const ChainModel& model);
// Error (data) with `place` where an invariant does not hold. A row of counts or fractions is divided by its
// sum; so is one of decimals whose sum is 1 but for a millionth, the rest is an error.
ChainModel chain_from_json(const Json& json, const std::string& place);

// What the model takes for granted, in words that may be published.
std::vector<std::string> assumptions_of(const ChainModel& model);

}  // namespace fugu::inline in_models
