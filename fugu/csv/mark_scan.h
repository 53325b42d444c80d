// Where the separators and line ends of a stretch of regular CSV are, a few thousand bytes at a time.
#pragma once

#include <cstddef>
#include <cstdint>

#include "fugu/csv/block_bits.h"

namespace fugu::inline in_csv {

class MarkScan {
 public:
  struct Run {
    size_t marks = 0;      // separators and line ends, outside quotes
    size_t line_ends = 0;  // of them
    bool bare = true;      // there are no blanks, CRs or quotes among its bytes
    bool more = false;     // false at the end, and where the text is not regular
  };

  static constexpr size_t kBlocks = 64;                                   // of a run
  static constexpr size_t kMostMarks = BlockBits::kSize * (kBlocks + 1);  // that a run may write

  // The bytes from begin to end, less than 4 GiB, which begin with a record; 64 readable bytes must follow
  // them.
  MarkScan(const char* begin, const char* end, char separator);

  // The marks of the next run, as distances from `begin`. What is written after the last one means nothing.
  Run next(uint32_t* marks) { return next_(*this, marks); }

  // The same code for any machine and for one with newer instructions; the constructor takes the best.
  using Next = Run (*)(MarkScan&, uint32_t*);
  static Next best();
  static Run next_portable(MarkScan& scan, uint32_t* marks);
#if defined(__x86_64__)
  static Run next_avx2(MarkScan& scan, uint32_t* marks);
#endif

 private:
  static inline Run run(MarkScan& scan, uint32_t* marks);

  const char* begin_;
  const char* end_;
  const char* at_;
  BlockBits bits_;
  Next next_;
};

}  // namespace fugu::inline in_csv
