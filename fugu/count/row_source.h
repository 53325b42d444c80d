// Where the rows that make a scenario come from: a CSV file, columns in memory, a database.
//
// A source counts distinct rows in its own way; what the texts mean, and what is wrong with them, is decided
// in one place (count_table), so that every source gives the same scenario for the same rows.
#pragma once

#include <cstdint>
#include <vector>

#include "fugu/core/progress.h"
#include "fugu/count/row_counts.h"
#include "fugu/table/table_head.h"

namespace fugu::inline in_count {

class RowSource {
 public:
  virtual ~RowSource() = default;

  virtual const TableHead& head() const = 0;
  // Counts the distinct rows of these columns, once: the empty text is a missing field. `check` is called as
  // row_counts.h says; `watched` columns are looked at besides. Errors of `check` and of reading.
  virtual RowCounts count(const std::vector<size_t>& columns, const RowCheck& check, const Progress& progress,
                          const Watched& watched = {}) = 0;
};

}  // namespace fugu::inline in_count
