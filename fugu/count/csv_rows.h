// The rows of a CSV file, counted on all threads.
#pragma once

#include <string>
#include <vector>

#include "fugu/count/row_source.h"
#include "fugu/csv/chunks.h"

namespace fugu::inline in_count {

class CsvRows : public RowSource {
 public:
  // Errors of ChunkReader. 0 threads: as many as TBB allows.
  explicit CsvRows(const std::string& path, const CsvOptions& options = {}, size_t threads = 0)
      : reader_(path, options), threads_(threads) {}

  const TableHead& head() const override { return reader_.head(); }
  RowCounts count(const std::vector<size_t>& columns, const RowCheck& check, const Progress& progress,
                  const Watched& watched = {}) override {
    return count_rows(reader_, columns, check, threads_, progress, watched);
  }

 private:
  ChunkReader reader_;
  size_t threads_;
};

}  // namespace fugu::inline in_count
