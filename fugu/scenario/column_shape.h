// What is known of one released column: how its texts are read, and what was done to its values before the
// noise (scenario/shape.h applies it).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fugu/core/json.h"
#include "fugu/core/lattice.h"
#include "fugu/core/number.h"
#include "fugu/scenario/reading.h"

namespace fugu::inline in_scenario {

// Numbers in bins: x lies in the bin floor(x / width), whose values are all released as `middle` above its
// lower end.
struct Bin {
  Rational width;   // > 0
  Rational middle;  // 0 <= middle < width
  friend bool operator==(const Bin&, const Bin&) = default;
};

// The label that rare categories share.
inline constexpr const char* kRareLabel = "(rare)";

// Texts that are read as others.
struct TextMap {
  std::map<std::string, std::string> texts = {};
  std::optional<std::string> rest = {};  // of every text that is not listed; without, it is unknown
  bool empty() const { return texts.empty() && !rest; }
  friend bool operator==(const TextMap&, const TextMap&) = default;
};

// In the order in which it is done: texts are mapped, then read; a number is held within the clip, moved to
// the nearest multiple of the step, then put into its bin or between its edges; rare categories become one.
struct ColumnShape {
  std::vector<std::string> labels = {};  // categories: labels[k] names the lattice point k + 1; else empty
  TextMap map = {};                      // private: it may list what single people have
  Reading reads = {};                    // of numbers
  std::optional<Rational> step = {};     // values were snapped to the nearest lattice point
  std::optional<std::pair<Rational, Rational>> clip = {};  // low <= high
  std::optional<Bin> bin = {};
  std::vector<Rational> edges = {};    // numbers became the categories between these, which increase
  std::vector<std::string> rare = {};  // categories that became kRareLabel, the last of the labels; private
  friend bool operator==(const ColumnShape&, const ColumnShape&) = default;

  bool is_categorical() const { return !labels.empty(); }
  // The value at a lattice index as people write it: a label, or a number in the form that it came in.
  std::string text(const Lattice& lattice, int64_t index) const;
};

// Its members of a source in JSON, those of kShapeKeys that it has.
inline constexpr const char* kShapeKeys[] = {"labels", "map", "reads", "step",
                                             "clip",   "bin", "edges", "rare"};
Json shape_to_json(const ColumnShape& shape);
// Error (data) with `place`. Keys that are not a shape's are not looked at.
ColumnShape shape_from_json(const Json& json, const std::string& place);

}  // namespace fugu::inline in_scenario
