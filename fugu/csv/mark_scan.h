// Where the separators and line ends of a stretch of regular CSV are, a few thousand bytes at a time.
#pragma once

#include <cstddef>
#include <cstdint>

#include "fugu/csv/block_masks.h"

namespace fugu::inline in_csv {

class MarkScan {
 public:
  struct Run {
    size_t marks = 0;      // separators and line ends, outside quotes
    size_t line_ends = 0;  // of them
    bool bare = true;      // there are no blanks, CRs or quotes among its bytes
    bool more = false;     // false at the end, and where the text is not regular
  };

  static constexpr size_t kBlocks = 64;                             // of a run
  static constexpr size_t kMostMarks = kBlockSize * (kBlocks + 1);  // that a run may write

  // The bytes from begin to end, less than 4 GiB, which begin with a record; 64 readable bytes must follow
  // them.
  MarkScan(const char* begin, const char* end, char separator, const BlockCode& code = BlockCode::best())
      : begin_(begin), end_(end), at_(begin), separator_(separator), code_(code) {}

  // The marks of the next run, as distances from `begin`. What is written after the last one means nothing.
  Run next(uint32_t* marks);

 private:
  const char* begin_;
  const char* end_;
  const char* at_;
  char separator_;
  const BlockCode& code_;
  BlockBits bits_;
};

}  // namespace fugu::inline in_csv
