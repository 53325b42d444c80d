// Where the rows of a release come from: a CSV file, or only the columns that are needed of a database.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "fugu/count/row_source.h"
#include "fugu/csv/chunks.h"
#include "fugu/release/release.h"
#include "fugu/release/row_reader.h"

namespace fugu::inline in_release {

// The rows of a chunk of the table, or as they were remembered when they were counted.
struct RowsToRelease {
  Chunk chunk;
  const RowOrder::Part* part = nullptr;  // in place of the chunk

  bool ends_line() const { return part ? part->ends_line : chunk.ends_line(); }
};

class ReleaseInput {
 public:
  // Errors of ChunkReader.
  ReleaseInput(const ReleaseRequest& request, bool header);

  const TableHead& head() const;
  // Error (data) for a column of a database that is looked at and cannot be read.
  void check(const RowLayout& rows) const;
  // The same rows for another pass. Error (usage) for standard input.
  std::unique_ptr<RowSource> once_more() const;
  // Which columns are read, and whether their rows may come in any order, or in the order that was
  // remembered. Call it once, before reader() and layout().
  void select(const RowLayout& rows, bool any_order, bool remembered_order);
  // Whether every order of the rows is equally likely already.
  bool is_shuffled() const { return is_shuffled_; }
  // The next rows in their order; false at the end. One thread at a time. Errors of ChunkReader.
  bool next(RowsToRelease& rows);
  // The share of the table that was released, where it is so many rows.
  double fraction(uint64_t rows) const;
  // The order of the first rows, which the reader does not read; null where it reads all.
  const RowOrder* order() const { return order_; }
  // The distinct rows of that order, by their wanted columns, and which of them a counter's numbers are.
  const Tally& distinct() const { return distinct_; }
  const std::vector<uint32_t>& numbers(size_t counter) const { return numbers_[counter]; }
  ChunkReader& reader() { return other_ ? *other_ : *file_; }
  const ChunkReader& reader() const { return other_ ? *other_ : *file_; }
  const CsvLayout& layout() const { return layout_; }

 private:
  void find_order(const std::vector<size_t>& wanted);

  const ReleaseRequest& request_;
  const bool header_;
  std::optional<ChunkReader> file_, other_;  // of the file; of what is read in its place
  CsvLayout layout_;
  bool is_shuffled_ = false;
  const RowOrder* order_ = nullptr;
  size_t next_part_ = 0;
  Tally distinct_;
  std::vector<std::vector<uint32_t>> numbers_;
};

}  // namespace fugu::inline in_release
