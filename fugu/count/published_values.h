// Where the published texts of a table lie on a lattice: numbers where they are, categories as 1, 2, ….
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fugu/core/lattice.h"
#include "fugu/count/shaping.h"
#include "fugu/count/table_count.h"
#include "fugu/scenario/scenario.h"

namespace fugu::inline in_count {

struct PublishedValues {
  Lattice lattice;
  ColumnShape map = {};        // what Shape takes
  std::vector<int64_t> index;  // of each of CountedColumn::values, on the lattice
  ShapingEffect effect = {};
};

// As its kind says; where none is said, a column is numeric when every text that is not missing is a decimal
// ("1", "1.0" and "01" are one number), and holds dates when every text is one of the same form. With an
// order, which names every category, it is categorical whatever it holds; else categories have the order that
// they tell (told_order()), or sort by bytes. The rest is the map of scenario/shape.h. What `common` asks for
// is done where it suits what the column holds, what `own` asks for must.
//
// Error (usage): numbers that may be a code or are written in another form, and dates of which day and month
// cannot be told apart, of which nobody said what they are. Error (data) with the line: numbers or dates
// mixed with text; a text that the map does not list; a number too large or too fine; no lattice but an
// absurdly fine one. Error (usage): an order that repeats a category or lacks one
// of the table's; a step that is not above 0, and what is for numbers with categories or the reverse; a
// missing value kept among numbers; rare categories that are all of them, or one that is called kRareLabel.
PublishedValues place_published(const TableName& table, const CountedColumn& column, const Shaping& own,
                                const Shaping& common = {});

// The position of each text of `tally` in `order`. Error (usage), naming `option`, when the order repeats a
// text or does not hold each of the tally's; `what` calls them ("category").
std::vector<size_t> positions_in_order(const Tally& tally, const std::vector<std::string>& order,
                                       const std::string& option, const std::string& what,
                                       const TableName& table);

}  // namespace fugu::inline in_count
