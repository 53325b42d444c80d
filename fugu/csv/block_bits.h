// What 64 bytes of CSV hold, as bits: where fields and records end, also around quotes.
//
// Regular is what masks can tell: quotes that open right after a separator or line end and close right before
// one, no line ends inside them, CRs only before an LF, no NUL. All else is RecordParser's.
#pragma once

#include <cstddef>
#include <cstdint>

#include "fugu/table/hot.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace fugu::inline in_csv {

class BlockBits {
 public:
  static constexpr uint64_t kSize = 64;

  // The bytes to come begin with a record.
  explicit BlockBits(char separator) : separator_(separator) {}

  // Bit k is about byte k of the last block.
  uint64_t line_ends = 0;
  uint64_t marks = 0;  // separators and line ends, outside quotes
  bool bare = true;    // no blanks, CRs or quotes

  // Looks at the next 64 bytes, of which only the first `left` belong to the text. False when they are not
  // regular.
  FUGU_HOT bool next(const char* bytes, uint64_t left) {
    Found found = find(bytes);
    if (left < kSize) found.keep((uint64_t{1} << left) - 1);
    line_ends = found.line_ends;
    marks = found.marks;
    bare = !found.rare && (inside_ | must_end_ | after_return_) == 0;
    if (bare) {
      may_open_ = marks >> 63;
      return true;
    }
    return next_rare(found);
  }

 private:
  struct Found {
    uint64_t line_ends = 0, marks = 0, quotes = 0, returns = 0, nuls = 0;
    bool rare = false;  // blanks or one of the last three

    FUGU_HOT void keep(uint64_t bits) {
      line_ends &= bits;
      marks &= bits;
      quotes &= bits;
      returns &= bits;
      nuls &= bits;
    }
  };

  // With bits that came over from the byte before the block.
  FUGU_HOT bool next_rare(const Found& found) {
    uint64_t inside = found.quotes;  // bit k: the number of quotes up to k is odd
    for (int shift = 1; shift < 64; shift *= 2) inside ^= inside << shift;
    inside ^= inside_;
    uint64_t opening = found.quotes & inside, closing = found.quotes & ~inside;
    marks &= ~inside;
    uint64_t before_opening = marks | found.quotes;
    uint64_t after_closing = marks | found.quotes | found.returns;
    uint64_t irregular = found.nuls | (found.line_ends & inside) |
                         (opening & ~(before_opening << 1 | may_open_)) |
                         ((closing << 1 | must_end_) & ~after_closing) |
                         ((found.returns << 1 | after_return_) & ~found.line_ends);
    inside_ = inside >> 63 != 0 ? ~uint64_t{0} : 0;
    may_open_ = before_opening >> 63;
    must_end_ = closing >> 63;
    after_return_ = found.returns >> 63;
    return irregular == 0;
  }

#if defined(__SSE2__)
  FUGU_HOT Found find(const char* bytes) const {
    auto equal = [](__m128i text, char c) { return _mm_cmpeq_epi8(text, _mm_set1_epi8(c)); };
    auto bits = [](__m128i mask) {
      return static_cast<uint64_t>(static_cast<uint32_t>(_mm_movemask_epi8(mask)));
    };
    const char tab = separator_ == '\t' ? ' ' : '\t';
    Found found;
    __m128i text[4], rare = _mm_setzero_si128();
    for (size_t k = 0; k < 4; ++k) {
      text[k] = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes + 16 * k));
      __m128i ends = equal(text[k], '\n');
      found.line_ends |= bits(ends) << (16 * k);
      found.marks |= bits(_mm_or_si128(ends, equal(text[k], separator_))) << (16 * k);
      __m128i odd =
          _mm_or_si128(_mm_or_si128(equal(text[k], '"'), equal(text[k], '\0')), equal(text[k], '\r'));
      rare = _mm_or_si128(_mm_or_si128(rare, odd), _mm_or_si128(equal(text[k], ' '), equal(text[k], tab)));
    }
    found.rare = _mm_movemask_epi8(rare) != 0;
    if (!found.rare) return found;
    for (size_t k = 0; k < 4; ++k) {
      found.quotes |= bits(equal(text[k], '"')) << (16 * k);
      found.returns |= bits(equal(text[k], '\r')) << (16 * k);
      found.nuls |= bits(equal(text[k], '\0')) << (16 * k);
    }
    return found;
  }
#else
  Found find(const char* bytes) const {
    Found found;
    for (int k = 0; k < 64; ++k) {
      uint64_t bit = uint64_t{1} << k;
      char c = bytes[k];
      if (c == '\n') found.line_ends |= bit;
      if (c == '\n' || c == separator_) found.marks |= bit;
      if (c == '"') found.quotes |= bit;
      if (c == '\r') found.returns |= bit;
      if (c == '\0') found.nuls |= bit;
      found.rare |= c == '"' || c == '\r' || c == '\0' || c == ' ' || (c == '\t' && c != separator_);
    }
    return found;
  }
#endif

  char separator_;
  // About the byte before the block; each has bit 0 only, but for inside_, which has all bits or none.
  uint64_t inside_ = 0;        // it is inside quotes
  uint64_t may_open_ = 1;      // a quote may open after it
  uint64_t must_end_ = 0;      // it is a closing quote
  uint64_t after_return_ = 0;  // it is a CR
};

}  // namespace fugu::inline in_csv
