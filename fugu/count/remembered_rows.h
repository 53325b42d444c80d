// What is remembered of a table's rows when they are counted, for a release of the same rows that comes next.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "fugu/count/row_counts.h"
#include "fugu/table/tally.h"

namespace fugu::inline in_count {

class RememberedRows {
 public:
  // `most_order`: so many bytes, at most, for the order of the rows.
  explicit RememberedRows(size_t most_order = 0) : most_order_(most_order) {}

  size_t most_order() const { return most_order_; }

  // Takes the order out of `counts`. Of too many distinct rows nothing is remembered.
  void remember(const std::vector<size_t>& columns, RowCounts& counts);

  // Where these columns stand among those that were counted; absent where one does not.
  std::optional<std::vector<size_t>> places(const std::vector<size_t>& columns) const;
  // How often each row of these columns came; into `become`, which of them each of rows() is. Absent where
  // other columns were counted.
  std::optional<Tally> counted(const std::vector<size_t>& columns,
                               std::vector<uint32_t>* become = nullptr) const;
  // The distinct rows of all columns that were counted, and their order.
  const Tally& rows() const { return rows_; }
  const RowOrder& order() const { return order_; }

 private:
  static constexpr size_t kMostDistinct = RowOrder::kMostNumbers;

  size_t most_order_;
  std::vector<size_t> columns_;
  Tally rows_;
  RowOrder order_;
};

}  // namespace fugu::inline in_count
