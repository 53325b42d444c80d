// Releases columns of a table in memory by a verified plan: the same checks as for a table in a file.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "fugu/core/progress.h"
#include "fugu/count/arrow_rows.h"
#include "fugu/plan/plan.h"
#include "fugu/plan/publishable.h"
#include "fugu/release/arrow_release.h"
#include "fugu/release/release_columns.h"

namespace fugu::inline in_release {

struct TableReleaseOptions {
  bool new_data = false;  // the table is not the plan's: its counts are not compared
  bool drop = false;      // leave out rows that the plan refuses, in place of an error
  std::vector<std::string> keep =
      {};                         // the columns that the plan was calibrated against, where they go along
  bool beside_others = false;     // other columns go along
  bool rows_independent = false;  // that people seem to have several rows is no error
};

// Whether these columns may go along with a release of a table in memory, as names: `keep` those that the
// plan was calibrated against, all or none, `keep_unprotected` others. Error (usage) for the secret, the
// released column, and groups that the plan does not cover.
void check_kept(const Plan& plan, const std::vector<std::string>& keep,
                const std::vector<std::string>& keep_unprotected);

class ArrowRelease {
 public:
  // Verifies the plan, which must outlive this. Error (guarantee); errors of check_publishable(): what is
  // released lists its categories.
  explicit ArrowRelease(const Plan& plan, uint64_t publish_min = kPublishMin);

  // Error (guarantee) unless the rows are those that the plan was made from; errors of RowReader and of
  // reading.
  void compare_counts(RowSource& rows, const TableReleaseOptions& options, const Progress& progress) const;

  // Which row of each person is released, of all rows of a table; null where the plan takes every row. Errors
  // of ChosenRows.
  std::unique_ptr<ChosenRows> choose(RowSource& rows, const TableReleaseOptions& options,
                                     const Progress& progress) const;

  // Releases a table in parts like this one, whose counts, where they are the plan's, were compared before. A
  // column that has no name, or is the only one that is released and there, is taken for the released one.
  // `chosen` is what choose() said of all. Whether people come again is for the caller to see (watched() and
  // collect() of the parts). Error (usage): a column that does not exist. Both must outlive the parts.
  std::unique_ptr<ArrowParts> parts(const ArrowTable& like, const TableReleaseOptions& options,
                                    ChosenRows* chosen) const;
  // The names of the columns that the parts of a table like this one need.
  std::vector<std::string> columns_of_parts(const ArrowTable& like, const TableReleaseOptions& options) const;

  // One byte a row: whether it is left out. Empty where none is. Nothing is drawn. Errors of RowReader.
  std::vector<uint8_t> rows_to_leave_out(const ArrowTable& table, const TableReleaseOptions& options) const;

  // Releases a whole table. Without new_data its counts must be the plan's: those of every secret, or of a
  // single column those of its values. New data has no other secrets and no other values than the plan; rows
  // of others are left out with `drop`, or an Error (data).
  ArrowReleased release(const ArrowTable& table, const TableReleaseOptions& options,
                        const Progress& progress) const;

 private:
  bool is_alone(const ArrowTable& table) const;
  ReleaseColumns columns_in(const TableHead& head, const TableReleaseOptions& options, bool counted) const;
  RowLayout layout_of(const ArrowTable& table, const TableReleaseOptions& options, bool counted) const;

  const Plan& plan_;
  std::vector<ColumnRelease> columns_;
  RowDraw draw_;
};

}  // namespace fugu::inline in_release
