// Where the published texts of a table lie on a lattice: numbers where they are, categories as 1, 2, ….
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fugu/core/lattice.h"
#include "fugu/count/table_count.h"
#include "fugu/scenario/scenario.h"

namespace fugu::inline in_count {

// What is asked to be done to the values of a column (docs/shaping.md).
struct Shaping {
  std::vector<std::string> order = {};  // of the categories; makes the column categorical
  std::optional<Rational> step = {};
  std::optional<std::pair<Rational, Rational>> clip = {};
  std::optional<Rational> bin = {};  // the width
  std::vector<Rational> edges = {};
  uint64_t merge_rare = 0;  // categories of fewer rows become one

  // Whether the values become others, beyond being snapped to a step.
  bool shapes() const { return clip || bin || !edges.empty() || merge_rare > 0; }
};
// Error (usage) for parts that do not go together, whatever the column holds.
void check_shaping(const Shaping& shaping);

// What one part of the map did by itself to the values that the parts before it left.
struct ShapingStep {
  std::string flag;           // "--clip 20:70"
  uint64_t rows_changed = 0;  // of numbers that become other numbers, and of categories that are merged
  std::optional<Rational> mean_square = {};  // of the change; not where numbers become categories
};

// What the map did to the table's values.
struct ShapingEffect {
  std::vector<ShapingStep> steps = {};       // none where nothing is shaped
  uint64_t rows = 0;                         // of the table that count
  uint64_t rows_changed = 0;                 // by all steps together
  std::optional<Rational> mean_square = {};  // of all that they change, where they leave numbers
};

struct PublishedValues {
  Lattice lattice;
  Source map = {};             // labels, step, clip, bin, edges, rare: what Shape takes
  std::vector<int64_t> index;  // of each of CountedColumn::values, on the lattice
  ShapingEffect effect = {};
};

// As its kind says; where none is said, a column is numeric when every text that is not missing is a decimal;
// "1", "1.0" and "01" are one number. With an order, which names every category, it is categorical whatever
// it holds; else categories sort by bytes. With a step, numbers are snapped to its nearest multiple, halves
// upward; the rest is the map of scenario/shape.h.
//
// Error (usage): numbers that may be a code, of which nobody said what they are. Error (data) with the line:
// numbers mixed with text; a number too large or too fine; no lattice but an
// absurdly fine one (this one names the value). Error (usage): an order that repeats a category or lacks one
// of the table's; a step that is not above 0, and what is for numbers with categories or the reverse; a
// missing value kept among numbers; rare categories that are all of them, or one that is called kRareLabel.
PublishedValues place_published(const TableName& table, const CountedColumn& column, const Shaping& shaping);

// Whether a column that no order makes categorical holds categories: not one of its texts is a number.
bool holds_categories(const CountedColumn& column);

// The position of each text of `tally` in `order`. Error (usage), naming `option`, when the order repeats a
// text or does not hold each of the tally's; `what` calls them ("category").
std::vector<size_t> positions_in_order(const Tally& tally, const std::vector<std::string>& order,
                                       const std::string& option, const std::string& what,
                                       const TableName& table);

}  // namespace fugu::inline in_count
