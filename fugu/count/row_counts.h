// How often each row of texts comes in a table's columns: one pass on all threads, memory for distinct rows.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "fugu/core/progress.h"
#include "fugu/count/people.h"
#include "fugu/count/row_order.h"
#include "fugu/csv/chunks.h"
#include "fugu/table/tally.h"

namespace fugu::inline in_count {

struct RowCounts {
  Tally rows;          // texts parted by NUL, which no field holds; with first lines, in their order
  uint64_t total = 0;  // rows read
  WatchedCounts watched = {};
  RowOrder order = {};  // as much of it as was asked for
};

// Throws when a row cannot be counted. Called with the fields and the line, for each distinct row at least
// once, from several threads; what it says may depend on nothing else.
using RowCheck = std::function<void(const Field* fields, uint64_t line)>;

// Counts the chunks that `reader` has left. The result does not depend on the number of threads (0: as many
// as TBB allows) or on the size of chunks. Errors of ChunkReader, ChunkScanner and `check`: the first in the
// file. Of the rows' order it remembers what fits into `most_order` bytes.
RowCounts count_rows(ChunkReader& reader, const std::vector<size_t>& columns, const RowCheck& check,
                     size_t threads, const Progress& progress, const Watched& watched = {},
                     size_t most_order = 0);

}  // namespace fugu::inline in_count
