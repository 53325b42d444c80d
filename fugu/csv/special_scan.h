// Finds the bytes that matter to CSV (separator, quote, line ends, NUL), 64 at a time.
//
// Every special byte is returned once, in order; what lies between two of them is plain text.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace fugu::inline in_csv {

// Bit k is set when bytes[k] is special, for 64 bytes. The plain version serves other machines and the tests.
inline uint64_t special_bits_plain(const char* bytes, char separator) {
  uint64_t bits = 0;
  for (int k = 0; k < 64; ++k) {
    char c = bytes[k];
    bool special = c == separator || c == '\n' || c == '"' || c == '\r' || c == '\0';
    bits |= static_cast<uint64_t>(special) << k;
  }
  return bits;
}

inline uint64_t special_bits(const char* bytes, char separator) {
#if defined(__SSE2__)
  uint64_t bits = 0;
  for (size_t at = 0; at < 64; at += 16) {
    __m128i text = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes + at));
    __m128i ends =
        _mm_or_si128(_mm_cmpeq_epi8(text, _mm_set1_epi8('\n')), _mm_cmpeq_epi8(text, _mm_set1_epi8('\r')));
    __m128i marks = _mm_or_si128(_mm_cmpeq_epi8(text, _mm_set1_epi8(separator)),
                                 _mm_cmpeq_epi8(text, _mm_set1_epi8('"')));
    __m128i all = _mm_or_si128(_mm_or_si128(ends, marks), _mm_cmpeq_epi8(text, _mm_setzero_si128()));
    bits |= static_cast<uint64_t>(static_cast<uint32_t>(_mm_movemask_epi8(all))) << at;
  }
  return bits;
#else
  return special_bits_plain(bytes, separator);
#endif
}

class SpecialScan {
 public:
  SpecialScan() = default;
  SpecialScan(const char* begin, const char* end, char separator)
      : base_(begin), ahead_(begin), end_(end), separator_(separator) {}

  // The next special byte, or the end.
  const char* next() {
    while (bits_ == 0) {
      if (ahead_ == end_) return end_;
      load();
    }
    const char* found = base_ + std::countr_zero(bits_);
    bits_ &= bits_ - 1;
    return found;
  }

 private:
  void load() {
    base_ = ahead_;
    auto left = static_cast<size_t>(end_ - ahead_);
    if (left >= 64) {
      bits_ = special_bits(base_, separator_);
      ahead_ += 64;
    } else {
      char rest[64] = {};
      std::memcpy(rest, base_, left);
      bits_ = special_bits(rest, separator_) & ((uint64_t{1} << left) - 1);
      ahead_ = end_;
    }
  }

  const char* base_ = nullptr;   // where bit 0 of bits_ stands
  const char* ahead_ = nullptr;  // the first byte not looked at
  const char* end_ = nullptr;
  uint64_t bits_ = 0;
  char separator_ = ',';
};

}  // namespace fugu::inline in_csv
