// Whether a table is the one that a receipt was written for, or may be one that a statement is about.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fugu/core/json.h"

namespace fugu::inline in_estimate {

// What a receipt says of the table that it was written for; a statement by itself says none of it.
struct ReleaseFacts {
  std::optional<uint64_t> rows = {};
  std::optional<std::string> digest = {};  // of the file's bytes
};

// Error (data) with `place` when a member is not what it should be.
ReleaseFacts release_facts(const Json& json, const std::string& place);

// The table that is asked about.
struct GivenTable {
  std::string name;  // for messages
  uint64_t rows = 0;
  std::optional<std::string> file = {};  // its path, where it has bytes to compare
  bool has_names = true;                 // columns were found by their names
  bool part = false;                     // it holds some of the release's rows, or all of them written anew
};

// Notes that say what could not be compared. Error (data): another number of rows, or another file.
std::vector<std::string> check_provenance(const ReleaseFacts& facts, const GivenTable& table);

}  // namespace fugu::inline in_estimate
