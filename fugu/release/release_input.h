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

class ReleaseInput {
 public:
  // Errors of ChunkReader.
  ReleaseInput(const ReleaseRequest& request, bool header);

  const TableHead& head() const;
  // Error (data) for a column of a database that is looked at and cannot be read.
  void check(const RowLayout& rows) const;
  // The same rows for another pass. Error (usage) for standard input.
  std::unique_ptr<RowSource> once_more() const;
  // Which columns are read, and whether their rows may come in any order. Call it once, before reader() and
  // layout().
  void select(const RowLayout& rows, bool any_order);
  // Whether every order of the rows is equally likely already.
  bool is_shuffled() const { return is_shuffled_; }
  ChunkReader& reader() { return *reader_; }
  const CsvLayout& layout() const { return layout_; }

 private:
  const ReleaseRequest& request_;
  const bool header_;
  std::optional<ChunkReader> reader_;
  CsvLayout layout_;
  bool is_shuffled_ = false;
};

}  // namespace fugu::inline in_release
