// Releases columns of a table in memory by a verified plan: the same checks as for a table in a file.
#pragma once

#include <cstdint>
#include <vector>

#include "fugu/core/progress.h"
#include "fugu/models/arrow_rows.h"
#include "fugu/models/table_count.h"
#include "fugu/plan/plan.h"
#include "fugu/plan/publishable.h"
#include "fugu/release/arrow_release.h"
#include "fugu/release/row_reader.h"

namespace fugu {

struct TableReleased {
  std::vector<ArrowColumn> columns;  // the released ones, in the plan's order
  std::vector<uint8_t> left_out;     // one byte a row; empty where none was
};

struct TableReleaseOptions {
  bool new_data = false;     // the table is not the plan's: its counts are not compared
  bool drop = false;         // leave out rows where a field is missing or unknown, in place of an error
  bool beside_kept = false;  // other columns go along, which show what is left out: that is an Error (usage)
};

// Whether these columns may go along with a release of a table in memory, as names: `keep` those that the
// plan was calibrated against, all or none, `keep_unprotected` others. Error (usage) for the secret, the
// released column, and groups that the plan does not cover, or might not.
void check_kept(const Plan& plan, const std::vector<std::string>& keep,
                const std::vector<std::string>& keep_unprotected, bool new_data);

class ArrowRelease {
 public:
  // Verifies the plan, which must outlive this. Error (guarantee); errors of check_publishable(): what is
  // released lists its categories.
  explicit ArrowRelease(const Plan& plan, uint64_t publish_min = kPublishMin);

  // Error (guarantee) unless the rows are those that the plan was made from; errors of count_table().
  void compare_counts(RowSource& rows, bool drop, const Progress& progress) const;

  // Releases a part of a table, without comparing any counts: that is for whoever has all of it. Secrets,
  // where it has them, must be the plan's. A column that has no name, or is the only one that is released and
  // there, is taken for the released one. Error (usage): a column that does not exist. Errors of
  // release_column().
  TableReleased release_part(const ArrowTable& table, const TableReleaseOptions& options,
                             const Progress& progress) const;

  // One byte a row: whether it is of a secret that the plan does not know, or might not: a joined label that
  // other texts make as well says nothing. Empty where the table does not have the secret. Error (data):
  // missing fields that are kept are written in more than one way; with `drop` they are unknown.
  std::vector<uint8_t> unknown_secrets(const ArrowTable& table, bool drop = false) const;

  // One byte a row: whether a field of the plan's secret or given columns is missing there, of those that the
  // table has. Empty where such rows are not dropped. Error (usage) beside kept columns.
  std::vector<uint8_t> rows_to_leave_out(const ArrowTable& table, const TableReleaseOptions& options) const;

  // New data may be of anybody: where it says whose secret a row is, it must be one of the plan's. Marks the
  // other rows with `drop`, else Error (data); Error (usage) beside kept columns.
  void check_secrets(const ArrowTable& table, const TableReleaseOptions& options,
                     std::vector<uint8_t>& left_out) const;

  // Marks the rows to be left out because the plan does not know their values together, or `new_rows` have
  // one to which no prior of their group gives mass (release/plan_values.h). Error (data) for them without
  // `drop`; Error (usage) beside kept columns. Does nothing where each column can be judged alone.
  void check_values(const ArrowTable& table, const TableReleaseOptions& options, bool new_rows,
                    std::vector<uint8_t>& left_out) const;

  // Releases a whole table. Without new_data its counts must be the plan's: those of every secret, or of a
  // single column those of its values. New data has no other secrets and no other values than the plan; rows
  // of others are left out with `drop`, or an Error (data).
  TableReleased release(const ArrowTable& table, const TableReleaseOptions& options,
                        const Progress& progress) const;

 private:
  enum class Compared { kNothing, kValues, kSecrets };  // what of a table is held against the plan

  bool is_alone(const ArrowTable& table) const;
  std::vector<size_t> released_places(const ArrowTable& table) const;
  TableReleased release_columns(const ArrowTable& table, const TableReleaseOptions& options,
                                Compared compared, const Progress& progress) const;
  CellCounts cells_of(const CountedTable& counted) const;
  int64_t atom_of(const CountedTable& counted, size_t value,
                  const std::vector<std::vector<Placed>>& placed) const;
  const Plan& plan_;
  std::vector<ColumnRelease> columns_;
};

}  // namespace fugu
