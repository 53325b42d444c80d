// What a statement says of a release by itself: for whoever may see no more than that. Nothing in it is
// private.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fugu/core/json.h"

namespace fugu::inline in_preview {

// An example of what a recipient can say: of this many rows, of which a tenth have some value.
inline constexpr uint64_t kExampleRows = 1000;
inline constexpr uint64_t kExampleCount = 100;
inline constexpr double kExampleConfidence = 0.95;

struct StatedColumn {
  std::string name;
  bool number = false;
  std::optional<double> unchanged = {};  // at least this share of values stays, in expectation
  std::optional<double> noise = {};      // of numbers: the root of its mean square, data units
  struct Within {
    double low = 0, high = 0;
  };
  std::optional<Within> share = {};     // what is known of the share of the value in the example
  std::optional<double> mean_off = {};  // of numbers: how far the estimate of the mean may be off
};

struct StatementPreview {
  std::string promise;                   // in words
  Json epsilon, delta;                   // as the statement has them
  std::optional<double> unchanged = {};  // of whole rows
  std::vector<std::string> known = {};   // columns that are written as they are
  std::vector<StatedColumn> columns = {};
  std::vector<std::string> notes = {};
};

// Whether a file is a statement or a receipt; else it may be a plan.
bool is_statement(const Json& json);

// Of a statement, or of a receipt with one. Error (data) with `place` where it is neither, or speaks of a
// model's number.
StatementPreview preview_of_statement(const Json& json, const std::string& place);

// docs/formats.md, "Preview".
Json statement_preview_to_json(const StatementPreview& preview);

}  // namespace fugu::inline in_preview
