// The rows of a CSV file, counted on all threads.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fugu/count/remembered_rows.h"
#include "fugu/count/row_source.h"
#include "fugu/csv/chunks.h"

namespace fugu::inline in_count {

class CsvRows : public RowSource {
 public:
  // What is counted is put into `remembered`, where given. 0 threads: as many as TBB allows. The file is
  // opened when it is first asked for: then the errors of ChunkReader.
  explicit CsvRows(const std::string& path, const CsvOptions& options = {}, size_t threads = 0,
                   std::shared_ptr<RememberedRows> remembered = {})
      : path_(path), options_(options), threads_(threads), remembered_(std::move(remembered)) {}

  const TableHead& head() const override { return reader().head(); }
  RowCounts count(const std::vector<size_t>& columns, const RowCheck& check, const Progress& progress,
                  const Watched& watched = {}) override {
    const size_t most_order = remembered_ ? remembered_->most_order() : 0;
    RowCounts counts = count_rows(reader(), columns, check, threads_, progress, watched, most_order);
    if (remembered_) remembered_->remember(columns, counts);
    return counts;
  }

 private:
  ChunkReader& reader() const {
    if (!reader_) reader_.emplace(path_, options_);
    return *reader_;
  }

  std::string path_;
  CsvOptions options_;
  mutable std::optional<ChunkReader> reader_;
  size_t threads_;
  std::shared_ptr<RememberedRows> remembered_;
};

}  // namespace fugu::inline in_count
