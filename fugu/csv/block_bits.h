// What 64 bytes of CSV hold, as bits: where fields and records end, also around quotes.
//
// Regular is what masks can tell: quotes that open right after a separator or line end and close right before
// one, no line ends inside them, CRs only before an LF, no NUL. All else is RecordParser's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include "fugu/table/hot.h"

namespace fugu::inline in_csv {

inline constexpr size_t kBlockSize = 64;

// Where the bytes that matter are: bit k is about byte k.
struct BlockMasks {
  uint64_t line_ends;
  uint64_t marks;  // separators and line ends, also within quotes
  // Blanks, CRs, quotes, NULs, and whatever else lies below them: all of it is in one comparison.
  bool rare;
  // Where nothing is rare, zeros.
  uint64_t quotes, returns, nuls;
  uint64_t inside;  // bit k: the number of quotes up to k is odd

  // Only the first bytes belong to the text; `inside` is not known yet.
  void keep_first(size_t bytes) {
    const uint64_t bits = (uint64_t{1} << bytes) - 1;
    for (uint64_t* mask : {&line_ends, &marks, &quotes, &returns, &nuls}) *mask &= bits;
  }
};

class BlockBits {
 public:
  // Looks at the next 64 bytes, after those it looked at before, the first of which begin with a record.
  // Leaves in `found` the marks outside quotes alone, and in `rare` whether there are blanks, CRs or quotes,
  // or the block lies within some. False when the bytes are not regular.
  FUGU_HOT bool next(BlockMasks& found) {
    found.rare |= (inside_ | must_end_ | after_return_) != 0;
    if (!found.rare) {
      may_open_ = found.marks >> 63;
      return true;
    }
    return next_rare(found);
  }

 private:
  // With bits that came over from the byte before the block.
  FUGU_HOT bool next_rare(BlockMasks& found) {
    const uint64_t inside = found.inside ^ inside_;
    const uint64_t opening = found.quotes & inside, closing = found.quotes & ~inside;
    found.marks &= ~inside;
    const uint64_t before_opening = found.marks | found.quotes;
    const uint64_t after_closing = found.marks | found.quotes | found.returns;
    const uint64_t irregular = found.nuls | (found.line_ends & inside) |
                               (opening & ~(before_opening << 1 | may_open_)) |
                               ((closing << 1 | must_end_) & ~after_closing) |
                               ((found.returns << 1 | after_return_) & ~found.line_ends);
    inside_ = inside >> 63 != 0 ? ~uint64_t{0} : 0;
    may_open_ = before_opening >> 63;
    must_end_ = closing >> 63;
    after_return_ = found.returns >> 63;
    return irregular == 0;
  }

  // About the byte before the block; each has bit 0 only, but for inside_, which has all bits or none.
  uint64_t inside_ = 0;        // it is inside quotes
  uint64_t may_open_ = 1;      // a quote may open after it
  uint64_t must_end_ = 0;      // it is a closing quote
  uint64_t after_return_ = 0;  // it is a CR
};

}  // namespace fugu::inline in_csv
