// Distinct rows that a database has counted itself.
#pragma once

#include <memory>
#include <utility>

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

 private:
  void count_watched(const Watched& watched, const Progress& progress, RowCounts& result);

  std::shared_ptr<DatabaseTable> table_;
};

}  // namespace fugu::inline in_count
