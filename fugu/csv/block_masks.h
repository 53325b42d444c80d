// Where records and fields end in blocks of 64 bytes, as bits, and as places.
#pragma once

#include <cstddef>
#include <cstdint>

#include "fugu/csv/block_bits.h"

namespace fugu::inline in_csv {

// Of a regular block: bit k is about byte k.
struct BlockMarks {
  uint64_t line_ends;
  uint64_t marks;  // separators and line ends outside quotes
  bool rare;       // there are blanks, CRs or quotes, or it lies within some
};

struct MarkCounts {
  size_t marks = 0, line_ends = 0;
};

// The same for any machine and for those with newer instructions; the program takes the best that runs.
class BlockCode {
 public:
  // The marks of `size` bytes, which follow those that `bits` looked at: block after block as far as they are
  // regular. Says how many these are. Whole blocks may be read.
  size_t (*find)(const char* bytes, size_t size, char separator, BlockBits& bits, BlockMarks* to);
  // The places of the marks as distances from the first block's beginning, each plus `offset`; says how many
  // there are, and how many line ends. Up to 64 behind the last may be written, too.
  MarkCounts (*write)(const BlockMarks* blocks, size_t count, uint32_t offset, uint32_t* to);

  static const BlockCode& best();
  static const BlockCode kPortable;
#if defined(__x86_64__)
  static const BlockCode kAvx2, kAvx512;
  static bool has_avx2();
  static bool has_avx512();
#endif
};

}  // namespace fugu::inline in_csv
