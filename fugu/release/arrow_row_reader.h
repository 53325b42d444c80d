// The rows of a table in memory before the noise: one thread's verdicts, each distinct row judged once.
#pragma once

#include <cstdint>
#include <vector>

#include "fugu/arrow/arrow_reader.h"
#include "fugu/count/arrow_rows.h"
#include "fugu/release/chosen_rows.h"
#include "fugu/release/row_reader.h"
#include "fugu/table/pair_numbers.h"

namespace fugu::inline in_release {

class ArrowRowReader {
 public:
  // Of tables with the columns of this one. The layout must outlive it; `chosen`, where given, says which row
  // of each person is taken. Errors of arrow_type().
  ArrowRowReader(const ArrowTable& table, const RowLayout& layout, ChosenRows* chosen = nullptr);

  // In place of the number of a row that is another than the one that was drawn of its person.
  static constexpr uint32_t kUndrawn = RowCache::kNone;

  // Call it before the first read of another table.
  void forget_chunk() { chunk_ = SIZE_MAX; }

  // The numbers that rows() gives the rows at [from, from + count) of a chunk, which are called `row` … (from
  // 1), and counts them. Errors of ArrowReader and RowReader.
  void read(const ArrowTable& table, size_t chunk, int64_t from, int64_t count, uint64_t row,
            std::vector<uint32_t>& numbers);

  const RowReader& rows() const { return rows_; }
  const WatchedCounts& watched() const { return watched_; }

 private:
  // Rows in the arrays of a chunk's columns, and what the first of them is called.
  struct Stretch {
    const ArrowTable& table;
    size_t chunk;
    int64_t from, count;
    uint64_t row;
  };
  uint32_t look(size_t at, uint64_t row);
  void read(ArrowReader& reader, size_t column, const Stretch& rows, std::vector<uint32_t>& numbers) const;
  void take(const Stretch& stretch, std::vector<uint32_t>& numbers);
  void count(const Stretch& stretch, const std::vector<uint32_t>& numbers);
  void watch(const Stretch& stretch);

  const RowLayout& layout_;
  size_t chunk_ = SIZE_MAX;                   // whose dictionaries the readers know
  std::vector<ArrowReader> readers_;          // by field
  std::vector<std::vector<uint32_t>> texts_;  // by field: the readers' numbers of a stretch of rows
  std::vector<PairNumbers> longer_;           // by field: of those before it and its own number
  std::vector<uint32_t> known_;  // by number of all fields together: the row's, or RowCache::kNone
  RowReader rows_;
  ChosenRows* chosen_;
  std::optional<ArrowReader> people_, weights_;
  std::vector<std::pair<size_t, ArrowReader>> watchers_;  // by place among the watched columns
  std::vector<uint32_t> other_texts_;
  WatchedCounts watched_;
};

}  // namespace fugu::inline in_release
