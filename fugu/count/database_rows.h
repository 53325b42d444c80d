// Distinct rows that a database has counted itself.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "fugu/count/remembered_rows.h"
#include "fugu/count/row_source.h"
#include "fugu/database/database_table.h"

namespace fugu::inline in_count {

class DatabaseRows final : public RowSource {
 public:
  // What is counted is put into `remembered`, where given.
  explicit DatabaseRows(std::shared_ptr<DatabaseTable> table, std::shared_ptr<RememberedRows> remembered = {})
      : table_(std::move(table)), remembered_(std::move(remembered)) {}

  const TableHead& head() const override { return table_->head(); }
  // Rows have no numbers: the lines are those of the distinct rows, in the order that the database gives
  // them.
  RowCounts count(const std::vector<size_t>& columns, const RowCheck& check, const Progress& progress,
                  const Watched& watched = {}) override;

 private:
  RowCounts count_there(std::unique_ptr<ByteSource> counts, const std::vector<size_t>& columns,
                        const RowCheck& check, const Progress& progress) const;
  RowCounts count_here(const std::vector<size_t>& columns, const RowCheck& check, const Progress& progress,
                       const Watched& watched) const;
  WatchedCounts watch(const Watched& watched, const Progress& progress) const;

  std::shared_ptr<DatabaseTable> table_;
  std::shared_ptr<RememberedRows> remembered_;
};

}  // namespace fugu::inline in_count
