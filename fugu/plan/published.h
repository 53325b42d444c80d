// A released column as its statement describes it: how each released value came from the true one. Or, of
// rows that traded places, how many did.
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

namespace fugu::inline in_plan {

// How the values of a released column are written.
struct WrittenColumn {
  std::string name = {};  // empty where the statement names none
  Lattice lattice{};
  Reading reads = {};                    // how numbers are written
  std::vector<std::string> labels = {};  // categories: labels[k] names the lattice point k + 1
  // Released values were held within these lattice indices.
  std::optional<std::pair<int64_t, int64_t>> bounds = {};

  bool is_categorical() const { return !labels.empty(); }
  // The value at a lattice index as people write it, and the index of a released text; none when no release
  // by this statement holds it.
  std::string text(int64_t index) const;
  std::optional<int64_t> index(std::string_view text) const;
};

struct PublishedColumn : WrittenColumn {
  Mechanism mechanism = {};
  // True values lie within these: where the statement says that they were held before the noise.
  std::optional<std::pair<int64_t, int64_t>> support = {};

  std::optional<int64_t> index(std::string_view text) const;
};

// Reads a statement, or a receipt with one: the columns that it is about, in its order. Error (data) with
// `place` when it is neither, or speaks of a model's number or of rows that traded places.
std::vector<PublishedColumn> published_from_json(const Json& json, const std::string& place);

// Rows that traded places: shares of the rows of the table that was released, at most, in expectation.
struct PublishedSwap {
  struct Column : WrittenColumn {
    Rational changed{0};  // of the rows in which this column is another value
  };
  Rational changed{0};  // of the rows that are others than they were
  std::vector<Column> columns = {};
  // Columns that are written as they are, by name: those within whose strata rows trade places, and others.
  std::vector<std::string> known = {}, beside = {};
  bool strata_merged = false;  // rows of several small strata trade places with each other
  bool new_data = false;       // the rows are others than those whose frequencies are kept
};

// The same of rows that traded places; nullopt where a statement speaks of another release. Error (data) with
// `place`, as there.
std::optional<PublishedSwap> published_swap_from_json(const Json& json, const std::string& place);

}  // namespace fugu::inline in_plan
