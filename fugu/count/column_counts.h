// How often each text comes in every column of a table, by secret where one is named: one pass on all
// threads.
#pragma once

#include <cstdint>
#include <vector>

#include "fugu/core/progress.h"
#include "fugu/count/row_source.h"
#include "fugu/csv/chunks.h"
#include "fugu/table/tally.h"

namespace fugu::inline in_count {

struct ColumnCounts {
  // By column. Keys are the texts of the secret's columns and the column's own, parted by NUL.
  std::vector<Tally> columns;
  std::vector<bool> too_many;  // distinct keys: the column was not counted to the end
  uint64_t rows = 0;
};

// Counts every column of the table that `reader` has opened. A column of more than `most` distinct keys (in
// one thread) is given up, so that identifiers take no memory. Errors of ChunkReader and ChunkScanner; Error
// (data) for a text that is not UTF-8.
ColumnCounts count_columns(ChunkReader& reader, const std::vector<size_t>& secret, size_t most,
                           const Progress& progress);

// The same of rows that can be counted again: once for each column. Errors of RowSource::count(); Error
// (data) for a text that is not UTF-8.
ColumnCounts count_columns(RowSource& rows, const std::vector<size_t>& secret, size_t most,
                           const Progress& progress);

// The same where rows stand for several people: a text as often as the column `people`, none of the secret's,
// says. Error (data) with the line where it holds what is no number of people.
ColumnCounts count_people(ChunkReader& reader, const std::vector<size_t>& secret, size_t people, size_t most,
                          const Progress& progress);

}  // namespace fugu::inline in_count
