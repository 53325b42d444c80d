// Rows of Arrow columns, counted where they lie.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fugu/arrow/arrow_abi.h"
#include "fugu/count/arrow_slices.h"
#include "fugu/count/remembered_rows.h"
#include "fugu/count/row_source.h"

namespace fugu::inline in_count {

// A table in memory: chunks of the same columns.
class ArrowTable {
 public:
  // Takes all that the stream has, and the stream itself. A stream of one column that is no structure is a
  // table of that column, called "1". `row_word` as in TableName: empty where rows stand for several. Error
  // (io) with what the stream says is wrong.
  explicit ArrowTable(ArrowArrayStream& stream, const std::string& row_word = "row");

  const ArrowSchema& column(size_t k) const { return is_table_ ? *schema_->children[k] : *schema_; }
  const ArrowArray& column(size_t chunk, size_t k) const {
    return is_table_ ? *chunks_[chunk]->children[k] : *chunks_[chunk];
  }
  // Where the rows of a chunk begin in the arrays of its columns.
  int64_t offset(size_t chunk) const { return is_table_ ? chunks_[chunk]->offset : 0; }
  size_t columns() const { return is_table_ ? static_cast<size_t>(schema_->n_children) : 1; }
  size_t chunks() const { return chunks_.size(); }
  const ArrowArray& chunk(size_t k) const { return *chunks_[k]; }
  int64_t rows(size_t chunk) const { return chunks_[chunk]->length; }
  uint64_t rows() const;
  const TableHead& head() const { return head_; }
  // Whether its columns have names.
  bool is_table() const { return is_table_; }

 private:
  Owned<ArrowSchema> schema_;
  std::vector<Owned<ArrowArray>> chunks_;
  bool is_table_ = false;
  TableHead head_;
};

// Counts the chunks of a table, or of a stream as they come, few at a time in memory, on all threads.
class ArrowRows : public RowSource {
 public:
  // `times`, where given, is the column of 64-bit whole numbers that says how often a row counts; messages
  // then number no rows.
  explicit ArrowRows(const ArrowTable& table) : table_(&table), head_(table.head()) {}
  explicit ArrowRows(ArrowArrayStream& stream, const std::optional<std::string>& times = {});

  // What is counted is put there, of rows that come once each with their order.
  void remember_in(std::shared_ptr<RememberedRows> remembered) { remembered_ = std::move(remembered); }

  const TableHead& head() const override { return head_; }
  // Errors of arrow_type() and ArrowReader; Error (data) where `times` is no number of rows, (io) with the
  // stream's.
  RowCounts count(const std::vector<size_t>& columns, const RowCheck& check, const Progress& progress,
                  const Watched& watched = {}) override;

 private:
  class Counter;
  static RowOrder joined(const std::vector<std::unique_ptr<Counter>>& counters, const RowCounts& counts);
  ArrowSlices slices();
  const ArrowSchema& column(size_t k) const;

  const ArrowTable* table_ = nullptr;
  Owned<ArrowArrayStream> stream_;
  Owned<ArrowSchema> schema_;
  TableHead head_;
  std::optional<size_t> times_;
  std::shared_ptr<RememberedRows> remembered_;
};

}  // namespace fugu::inline in_count
