// A released column as its statement describes it: how each released value came from the true one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fugu/core/json.h"
#include "fugu/core/lattice.h"
#include "fugu/mechanism/mechanism.h"
#include "fugu/scenario/reading.h"

namespace fugu::inline in_estimate {

struct PublishedColumn {
  std::string name;  // empty where the statement names none
  Mechanism mechanism;
  Lattice lattice{};
  Reading reads = {};                    // how numbers are written
  std::vector<std::string> labels = {};  // categories: labels[k] names the lattice point k + 1
  // Released values were held within these lattice indices.
  std::optional<std::pair<int64_t, int64_t>> bounds = {};

  // True values lie within these: where the statement says that they were held before the noise.
  std::optional<std::pair<int64_t, int64_t>> support = {};

  bool is_categorical() const { return !labels.empty(); }
  // The value at a lattice index as people write it, and the index of a released text; none when no release
  // by this statement holds it.
  std::string text(int64_t index) const;
  std::optional<int64_t> index(std::string_view text) const;
};

// Reads a statement, or a receipt with one: the columns that it is about, in its order. Error (data) with
// `place` when it is neither, or speaks of a model's number.
std::vector<PublishedColumn> published_from_json(const Json& json, const std::string& place);

}  // namespace fugu::inline in_estimate
