// What the texts of a counted column are: numbers, dates or categories.
#pragma once

#include <cstdint>
#include <vector>

#include "fugu/count/shaping.h"
#include "fugu/count/table_count.h"

namespace fugu::inline in_count {

struct ColumnTexts {
  bool categorical = false;
  Reading reads = {};                  // of numbers and dates
  std::vector<Rational> numbers = {};  // by value; 0 for what is not a number within range
  uint64_t first_out_of_range = 0;     // line of a number that is too large or too fine; 0 for none
};

// Errors of place_published() about what a column may hold.
ColumnTexts read_column(const TableName& table, const CountedColumn& column, const Shaping& shaping);

}  // namespace fugu::inline in_count
