// Where the published texts of a table lie on a lattice: numbers where they are, categories as 1, 2, ….
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fugu/core/lattice.h"
#include "fugu/models/table_count.h"

namespace fugu {

struct PublishedValues {
  Lattice lattice;
  std::vector<std::string> labels;  // categories: labels[k] names the lattice point k + 1; empty for numbers
  std::vector<int64_t> index;       // of each of CountedColumn::values, on the lattice
};

// A column is numeric when every text that is not missing is a decimal; "1", "1.0" and "01" are one number.
// With `order`, which names every category, it is categorical whatever it holds; else categories sort by
// bytes. With `step`, numbers are snapped to its nearest multiple, halves upward.
//
// Error (data) with the line: numbers mixed with text; a number too large or too fine; no lattice but an
// absurdly fine one (this one names the value). Error (usage): an order that repeats a category or lacks one
// of the table's; a step that is not above 0 or is given for categories; a missing value kept among numbers.
PublishedValues place_published(const std::string& file, const CountedColumn& column,
                                const std::vector<std::string>& order, const std::optional<Rational>& step);

// Whether a column that no order makes categorical holds categories: not one of its texts is a number.
bool holds_categories(const CountedColumn& column);

// The position of each text of `tally` in `order`. Error (usage), naming `option`, when the order repeats a
// text or does not hold each of the tally's; `what` calls them ("category").
std::vector<size_t> positions_in_order(const Tally& tally, const std::vector<std::string>& order,
                                       const std::string& option, const std::string& what,
                                       const std::string& file);

}  // namespace fugu
