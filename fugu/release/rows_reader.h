// What one thread of a release reads: which rows of a chunk are released, and what is kept beside them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "fugu/csv/chunk_scan.h"
#include "fugu/release/chosen_rows.h"
#include "fugu/release/release_columns.h"
#include "fugu/release/release_input.h"
#include "fugu/release/row_reader.h"

namespace fugu::inline in_release {

// What became of some rows. The others were dropped.
struct RowsDone {
  ScanResult scanned = {};
  uint64_t released = 0;
  uint64_t undrawn = 0;  // another row of the person is released
  uint64_t outside = 0;  // left out with all of their stratum
};

// Whether nothing is asked of a row but what it is released as, so that the order of rows that were counted
// will do.
bool are_alone(const ReleaseColumns& columns);

class RowsReader {
 public:
  // All must outlive it. `chosen` where the plan takes some rows of each person.
  RowsReader(const ReleaseInput& input, const ReleaseColumns& columns, ChosenRows* chosen);

  // Errors of ChunkScanner and RowReader, with lines from `first_line` on; of remembered rows with their own.
  RowsDone read(const RowsToRelease& rows, uint64_t first_line);

  // Of the rows that were read last and are released, in their order; and the fields that are kept, as they
  // are written.
  std::span<const uint32_t> numbers() const { return numbers_; }
  const std::vector<std::string_view>& kept() const { return kept_; }
  // Of all rows that were read.
  const RowReader& reader() const { return reader_; }
  const WatchedCounts& watched() const { return watched_; }

 private:
  void read_alone(const RowsToRelease& rows, uint64_t first_line, RowsDone& read);
  uint32_t* read_remembered(const RowOrder::Part& part);
  void learn();
  void read_among_others(const Chunk& chunk, uint64_t first_line, RowsDone& read);
  std::string_view text_of_group(std::string_view text);

  const ReleaseInput& input_;
  const ReleaseColumns& columns_;
  const RowLayout& layout_;
  ChosenRows* chosen_;
  ChunkScanner scanner_;
  RowReader reader_;
  bool has_learnt_ = false;     // the reader's numbers are those of the distinct rows that were counted
  std::vector<uint32_t> room_;  // never smaller again: filling it takes its time
  std::span<uint32_t> numbers_;
  std::vector<std::string_view> kept_;
  std::unordered_set<std::string> texts_;  // of kept columns that the plan covers, one for each group
  WatchedCounts watched_;
};

}  // namespace fugu::inline in_release
