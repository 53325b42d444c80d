// A table's rows, counted once for each choice of columns: the next question about them reads no file.
#pragma once

#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "fugu/count/row_source.h"
#include "fugu/csv/chunks.h"
#include "fugu/file/file_state.h"

namespace fugu::studio {

class KeptRows : public RowSource {
 public:
  // Reads the head of the file. Errors of ChunkReader.
  KeptRows(std::string path, const CsvOptions& options);

  const TableHead& head() const override { return head_; }
  // The same counts and errors as those of the file; from memory where these columns were counted before.
  RowCounts count(const std::vector<size_t>& columns, const RowCheck& check, const Progress& progress,
                  const Watched& watched = {}) override;

  // What the file was before it was counted. Absent for what is no regular file.
  const std::optional<FileState>& state() const { return state_; }

 private:
  struct Kept {
    std::vector<size_t> columns;
    Watched watched;
    std::shared_ptr<const RowCounts> counts;
  };
  std::shared_ptr<const RowCounts> find(const std::vector<size_t>& columns, const Watched& watched);

  std::string path_;
  CsvOptions options_;
  std::optional<FileState> state_;
  TableHead head_;
  std::mutex mutex_;      // of kept_
  std::mutex counting_;   // one pass at a time
  std::list<Kept> kept_;  // the last used first
};

}  // namespace fugu::studio
