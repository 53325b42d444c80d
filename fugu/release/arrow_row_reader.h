// The rows of a table in memory before the noise: one thread's verdicts, each distinct row judged once.
#pragma once

#include <cstdint>
#include <vector>

#include "fugu/arrow/arrow_reader.h"
#include "fugu/count/arrow_rows.h"
#include "fugu/release/chosen_rows.h"
#include "fugu/release/row_reader.h"

namespace fugu::inline in_release {

class ArrowRowReader {
 public:
  // All must outlive it; `chosen`, where given, says which row of each person is taken. Errors of
  // arrow_type().
  ArrowRowReader(const ArrowTable& table, const RowLayout& layout, ChosenRows* chosen = nullptr);

  // In place of the number of a row that is another than the one that was drawn of its person.
  static constexpr uint32_t kUndrawn = RowCache::kNone;

  // The numbers that rows() gives the rows at [from, from + count) of a chunk, which are `row` … (from 1) of
  // the table, and counts them. Errors of ArrowReader and RowReader.
  void read(size_t chunk, int64_t from, int64_t count, uint64_t row, std::vector<uint32_t>& numbers);

  const RowReader& rows() const { return rows_; }
  const WatchedCounts& watched() const { return watched_; }

 private:
  ArrowReader reader_of(size_t column) const;
  uint32_t look(size_t at, uint64_t row);
  void take(size_t chunk, int64_t from, uint64_t row, std::vector<uint32_t>& numbers);
  void count(size_t chunk, int64_t from, uint64_t row, const std::vector<uint32_t>& numbers);
  void watch(size_t chunk, int64_t from, int64_t count, uint64_t row);

  const ArrowTable& table_;
  const RowLayout& layout_;
  std::vector<ArrowReader> readers_;          // by field
  std::vector<std::vector<uint32_t>> texts_;  // by field: the readers' numbers of a stretch of rows
  // By field: which stretch of fields up to it a number behind a stretch of those before it makes.
  std::vector<NumberMap<1>> longer_;
  std::vector<uint32_t> known_;  // by stretch of all fields: the row's number, or RowCache::kNone
  RowReader rows_;
  ChosenRows* chosen_;
  std::optional<ArrowReader> people_, weights_;
  std::vector<std::pair<size_t, ArrowReader>> watchers_;  // by place among the watched columns
  std::vector<uint32_t> other_texts_;
  WatchedCounts watched_;
};

}  // namespace fugu::inline in_release
