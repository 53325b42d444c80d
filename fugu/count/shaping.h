// What is asked to be done to the values of a column (docs/shaping.md), and what it did.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "fugu/core/date.h"
#include "fugu/core/number.h"
#include "fugu/count/table_count.h"
#include "fugu/scenario/scenario.h"

namespace fugu::inline in_count {

// A number, or a day of the calendar.
struct Day {
  int64_t since_1970;
  friend auto operator<=>(const Day&, const Day&) = default;
};
using Bound = std::variant<Rational, Day>;
// "20", "2024-03-31", "31.03.2024"; nullopt for another text.
std::optional<Bound> parse_bound(std::string_view text);

struct Shaping {
  std::vector<std::string> order = {};  // of the categories; makes the column categorical
  TextMap map = {};
  std::optional<DateUnit> unit = {};
  std::optional<Rational> step = {};
  std::optional<std::pair<Bound, Bound>> clip = {};
  std::optional<Rational> bin = {};  // the width
  std::vector<Bound> edges = {};
  uint64_t merge_rare = 0;  // categories of fewer rows become one

  // Whether the values become others, beyond being read, mapped and snapped to a step.
  bool shapes() const { return clip || bin || !edges.empty() || merge_rare > 0; }
  // The flag that only numbers take; null where there is none.
  const char* numeric_flag() const;
  // These, and where they say nothing those of `common`.
  Shaping with(const Shaping& common) const;
  // How texts are read, and nothing that makes others of them.
  Shaping reading_alone() const;
  // Without what is for numbers (for categories), or for dates alone.
  Shaping for_categories() const;
  Shaping for_numbers(bool dates) const;
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

// Of numbers, by value of the column. Each part by itself is a map of its own.
ShapingEffect effect_of(const ColumnShape& map, const Lattice& lattice, const CountedColumn& column,
                        const std::vector<Rational>& numbers);

}  // namespace fugu::inline in_count
