// A Markov chain and what is counted in it, as people write them, in texts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fugu/core/json.h"
#include "fugu/core/progress.h"
#include "fugu/models/chain.h"

namespace fugu::inline in_ask {

// Empty text is a flag not given.
struct ChainOptions {
  std::string matrix = {}, sequence = {};               // the files, or
  std::optional<Json> chain = {};                       // what the matrix' file holds, or
  std::optional<std::vector<std::string>> states = {};  // the sequence itself
  std::string column = {}, separator = {}, length = {}, state = {}, method = {};
  bool no_header = false, histogram = false, frequency = false;

  bool has_sequence() const { return !sequence.empty() || states; }
  // Error (usage) for flags that do not go together. Before any reading.
  void check() const;
};

struct ChainInput {
  ChainModel model;
  std::vector<uint64_t> occurrences = {};  // in the sequence, state by state

  // The true numbers that the sequence holds: of the counted state, or of every one.
  std::vector<int64_t> counted() const;
};

// Errors of check(), chain_from_json(), read_sequence() and estimate_chain(); Error (usage) for a length that
// is none, and an unknown state.
ChainInput read_chain(const ChainOptions& options, const Progress& progress);

}  // namespace fugu::inline in_ask
