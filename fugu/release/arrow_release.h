// Releases a column of Arrow data: exact noise on each value, in the type that it came in.
//
// What comes out depends on the released lattice points and the plan alone: its type, its dictionary and the
// way a value is written say nothing of the rows. Rows are assumed independent given the prior, as always.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "fugu/core/progress.h"
#include "fugu/models/arrow_rows.h"
#include "fugu/release/column_map.h"
#include "fugu/table/arrow_type.h"

namespace fugu {

// A column on its way out; each array is a chunk.
struct ArrowColumn {
  Owned<ArrowSchema> schema;
  std::vector<Owned<ArrowArray>> chunks;
};

struct ArrowReleaseOptions {
  // Leave out rows whose value is missing or that the plan does not know, in place of an error.
  bool drop = false;
  // Rows to leave out in any case, one byte a row; empty for none.
  std::vector<uint8_t> leave_out = {};
  bool only_plan_values = false;  // new rows: a value to which no prior gives mass is none of the plan's
  bool beside_kept = false;       // other columns go along: a row to be left out is an Error (usage)
};

struct ArrowReleased {
  ArrowColumn column;
  std::vector<uint8_t> left_out;                     // one byte a row; empty where none was
  std::vector<std::pair<int64_t, uint64_t>> counts;  // of the values before the noise, lattice indices
};

// Error (data) with the row: a value that the plan does not know, a null where the plan does not drop them;
// errors of ArrowReader. Error (io) when there is no entropy.
ArrowReleased release_column(const ArrowTable& table, size_t k, const ColumnRelease& column,
                             const ArrowReleaseOptions& options, const Progress& progress);

}  // namespace fugu
