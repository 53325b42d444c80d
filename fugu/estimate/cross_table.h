// A released table whose rows traded places, counted by some of its columns: nothing has to be undone, and
// the statement alone bounds the true counts (swap_bounds.h).
//
//   const auto found = cross_tables({.path = "out.csv"}, swap, {{.columns = {"region", "job"}}}, {});
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fugu/core/progress.h"
#include "fugu/estimate/released_counts.h"
#include "fugu/estimate/swap_bounds.h"
#include "fugu/plan/published.h"

namespace fugu::inline in_estimate {

struct CrossColumn {
  std::string name;
  std::optional<WrittenColumn> released = {};  // none: it is written as it was
};

struct CrossCell {
  std::vector<std::optional<std::string>> values;  // by column; none in a total: whatever it is
  uint64_t count = 0;
  CountBounds bounds;
};

// Categories come in the statement's order, numbers increase, other texts are ordered by their bytes.
struct CrossTable {
  std::vector<CrossColumn> columns;
  uint64_t rows = 0;
  std::vector<CrossCell> cells;
  std::vector<CrossCell>
      totals;  // of each column's values, where there are several columns; then of all rows
  std::vector<std::string> notes = {};
};

constexpr size_t kMaxEmptyCells = 10000;  // a table of more cells lists those that rows were released in

struct CrossQuestion {
  std::vector<std::string> by = {}, columns = {};  // names or numbers, each once, in this order
  std::optional<size_t> released = {};             // the last column: its place among the statement's
  double confidence = 0.95;                        // of both ends of a bound together; between 0 and 1
};

// For each question the counts by its columns, released or written as they are; the table is read once. Of
// `table` all but `by` and `place` counts. Each end of a bound misses the true count with a probability of at
// most (1 - confidence) / 2. Errors of reading. Error (data): no rows; a value that no release by this
// statement holds; a column that the statement does not speak of. Error (usage): no such column, one named
// twice, or one by which the counts of a released column are not kept; the release was of new data.
std::vector<CrossTable> cross_tables(const ReleasedTable& table, const PublishedSwap& swap,
                                     const std::vector<CrossQuestion>& questions, const Progress& progress);

// The same of rows that were counted already. Precondition: there is one; released texts are the statement's.
struct CountedRow {
  std::vector<std::string> texts;  // by column
  uint64_t count = 0;
};
// By column, its place among the swap's; none: it is written as it was.
using CrossPlaces = std::vector<std::optional<size_t>>;
CrossTable cross_table(const std::vector<CountedRow>& rows, const PublishedSwap& swap,
                       const std::vector<std::string>& names, const CrossPlaces& places, double confidence);

}  // namespace fugu::inline in_estimate
