// Where the separators and line ends of a stretch of plain CSV are, a few thousand bytes at a time.
//
// Plain is what has no quote and no NUL, and CRs only before an LF.
#pragma once

#include <cstddef>
#include <cstdint>

namespace fugu {

class MarkScan {
 public:
  struct Run {
    size_t marks = 0;      // separators and line ends
    size_t line_ends = 0;  // of them
    bool blanks = false;   // there may be blanks or CRs among its bytes
    bool more = false;     // false at the end, and where the text is not plain
  };

  static constexpr size_t kBlock = 64;
  static constexpr size_t kBlocks = 64;                            // of a run
  static constexpr size_t kMostMarks = kBlock * kBlocks + kBlock;  // that a run may write

  // The bytes from begin to end, less than 4 GiB; kBlock readable bytes must follow them.
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
  char separator_;
  bool after_return_ = false;  // the byte before at_ is a CR
  Next next_;
};

}  // namespace fugu
