// Distinct rows that a database has counted itself.
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "fugu/count/row_source.h"
#include "fugu/database/database_table.h"

namespace fugu::inline in_count {

class DatabaseRows final : public RowSource {
 public:
  explicit DatabaseRows(std::shared_ptr<DatabaseTable> table) : table_(std::move(table)) {}

  const TableHead& head() const override { return table_->head(); }
  // Rows have no numbers: the lines are those of the distinct rows, in the order that the database gives
  // them.
  RowCounts count(const std::vector<size_t>& columns, const RowCheck& check, const Progress& progress,
                  const Watched& watched = {}) override;
  // How often each row of these columns came when rows were counted last. Absent where other columns were
  // counted, or too many distinct rows to remember them.
  std::optional<Tally> counted(const std::vector<size_t>& columns) const;

 private:
  RowCounts count_there(std::unique_ptr<ByteSource> counts, const std::vector<size_t>& columns,
                        const RowCheck& check, const Progress& progress) const;
  RowCounts count_here(const std::vector<size_t>& columns, const RowCheck& check, const Progress& progress,
                       const Watched& watched) const;
  WatchedCounts watch(const Watched& watched, const Progress& progress) const;
  void remember(const std::vector<size_t>& columns, const Tally& rows);

  static constexpr size_t kMostRemembered = size_t{1} << 16;  // distinct rows

  std::shared_ptr<DatabaseTable> table_;
  std::vector<size_t> counted_columns_;
  Tally counted_;
};

}  // namespace fugu::inline in_count
