// From flows between classes of rows to flows between rows, in integers and exactly balanced, so that the
// table's frequencies stay what they are and every draw is a uniform integer (docs/math.md, section 16).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "fugu/core/progress.h"
#include "fugu/transport/row_distance.h"
#include "fugu/transport/row_match.h"

namespace fugu::inline in_transport {

struct ExchangedRows {
  std::vector<uint64_t> counts;        // by distinct row: > 0, sum below 2^62
  std::vector<uint32_t> classes;       // by row
  std::vector<SimilarColumn> columns;  // what similarity is judged by
  // By which counts become totals; the largest possible where none is said.
  std::optional<unsigned> shift = {};
};

// A flow of a circulation between classes: `share` of all rows.
struct ClassShare {
  uint32_t from, to;
  double share;
};

struct RowExchange {
  unsigned shift;                // a row's total is its count times 2^shift
  std::vector<uint64_t> totals;  // each below 2^62, their sum below 2^63
  std::vector<RowFlow> flows;    // by (from, to); from != to, weights > 0
  // The mean weight of the columns in which a changed row differs, and what it would be if it became any row
  // of the class that its class flows to; 0 where none changes.
  double changed_columns, random_columns;
};

// The largest shift that the limits of the totals allow.
unsigned largest_shift(const std::vector<uint64_t>& counts);

// What holds exactly: every row's inflow equals its outflow and is at most its total. Rows of a class give,
// and take of every class, in proportion to their counts, each within a unit of 2^-shift of a row per flow of
// its class. The class flows are kept to a few units; what they lack in balance goes into at most as many
// small flows more as there are classes. A class that would give or take more than it has does so in
// proportion to what it was to give; one without rows gives and takes nothing. The flows of other classes
// stay as they are. Preconditions: classes flow to other classes only, and none gives more than it has, up to
// rounding.
RowExchange exchange_rows(const ExchangedRows& rows, const std::vector<ClassShare>& flows,
                          const Progress& progress);

}  // namespace fugu::inline in_transport
