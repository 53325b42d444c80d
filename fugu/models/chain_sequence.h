// A sequence of states in a table's column, and the Markov chain that its steps make.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fugu/core/progress.h"
#include "fugu/csv/chunks.h"
#include "fugu/models/chain.h"

namespace fugu::inline in_models {

// The states are in the order of their bytes.
struct StateSequence {
  std::vector<std::string> states;
  std::vector<uint64_t> occurrences;         // of each state
  std::vector<std::vector<uint64_t>> steps;  // [from][to]
  uint64_t length = 0;
};

// Reads the column (its name or number; the only one when empty), a state in each record. Errors of
// ChunkReader; Error (usage) when the column is not named and there are several; Error (data): a field is
// empty, fewer than two states or more than 50, longer than 10^6.
StateSequence read_sequence(const std::string& path, const std::string& column, const CsvOptions& options,
                            const Progress& progress = {});

// The same of states in memory, called "the sequence" and by their numbers, from 1, in messages.
StateSequence sequence_of(const std::vector<std::string>& states);

// The chain of these steps as exact fractions, stationary, of the sequence's length. Error (data), beginning
// with `place`: a state that is never left, or no unique stationary law.
ChainModel estimate_chain(const StateSequence& sequence, const std::string& place);

}  // namespace fugu::inline in_models
