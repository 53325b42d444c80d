// Releases rows of Arrow columns: exact noise on each value, in the type that it came in.
//
// What comes out depends on the released lattice points and the plan alone: its type, its dictionary and the
// way a value is written say nothing of the rows. Rows are assumed independent given the prior, as always.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "fugu/arrow/arrow_type.h"
#include "fugu/core/progress.h"
#include "fugu/count/arrow_rows.h"
#include "fugu/count/remembered_rows.h"
#include "fugu/release/chosen_rows.h"
#include "fugu/release/column_map.h"
#include "fugu/release/row_reader.h"

namespace fugu::inline in_release {

// A column on its way out; each array is a chunk.
struct ArrowColumn {
  Owned<ArrowSchema> schema;
  std::vector<Owned<ArrowArray>> chunks;
};

// Why a row is not released.
enum class LeftOut : uint8_t {
  kNo,
  kDropped,  // for a field that is missing or unknown
  kUndrawn,  // another row of the person was drawn
  kOutside,  // with all of its stratum
};

struct ArrowReleased {
  std::vector<ArrowColumn> columns;  // the released ones, in their order
  // One byte a row: of those that are not there, why; empty where all are.
  std::vector<uint8_t> left_out;
  // One byte a row: 1 where it is released without what is known of it, its stratum being a small one; empty
  // where none is.
  std::vector<uint8_t> hidden;
  uint64_t rows = 0;  // that were read
  CellCounts counts;  // of what is released, before the noise
  CellMasses masses;
  WatchedCounts watched;  // of the layout's watched columns
};

// Releases these columns of the rows that the layout's terms say are values; the terms' maps are theirs. A
// table may come in parts: what was looked up for one serves the next.
class ArrowParts {
 public:
  // Of tables with the columns of this one. Of several released columns `points` are the plan's joint values.
  // `chosen`, where given, says which row of each person is taken. What is given by reference must outlive
  // it.
  ArrowParts(const ArrowTable& like, RowLayout layout, const std::vector<ColumnRelease>& columns,
             const RowDraw& draw, ChosenRows* chosen = nullptr);
  ~ArrowParts();
  ArrowParts(const ArrowParts&) = delete;

  // `seen` are the labels of this part and of those before it. What is given back has no counts. Errors of
  // ArrowReader and RowReader. Error (io) when there is no entropy, (usage) for other columns.
  ArrowReleased release(const ArrowTable& part, LabelsSeen& seen, const Progress& progress);

  // Whether the parts begin with rows that were counted, of a table with this header, by what is remembered
  // of them: no other column is asked for. Errors of RowReader.
  bool begin_with(const RememberedRows& rows, const std::vector<std::string>& header, LabelsSeen& seen);
  // The next of these, about so many; none are left where there is no row. Errors of release().
  ArrowReleased release_remembered(size_t rows, const Progress& progress);

  // Adds what all parts have counted.
  void collect(const std::vector<Point>& points, ArrowReleased& result) const;
  const Watched& watched() const;

 private:
  class Work;
  std::unique_ptr<Work> work_;
};

// The same of a whole table, with its counts.
ArrowReleased release_arrow(const ArrowTable& table, const RowLayout& layout,
                            const std::vector<ColumnRelease>& columns, const RowDraw& draw,
                            const std::vector<Point>& points, LabelsSeen& seen, const Progress& progress,
                            ChosenRows* chosen = nullptr);

struct ColumnReleaseOptions {
  bool drop = false;              // leave out rows that the plan would refuse
  bool beside_kept = false;       // other columns go along: a row to be left out is an Error (usage)
  bool only_plan_values = false;  // new rows: a value to which no prior gives mass is none of the plan's
};

// A column by itself, whoever's its values are. The column must outlive the layout.
RowLayout layout_of_column(const ArrowTable& table, const ColumnRelease& column,
                           const ColumnReleaseOptions& options);
ArrowReleased release_column(const ArrowTable& table, const ColumnRelease& column,
                             const ColumnReleaseOptions& options, const Progress& progress);

}  // namespace fugu::inline in_release
