#include "fugu/table/mark_scan.h"

#include <bit>

#include "fugu/table/hot.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace fugu {
namespace {

// The versions at the end of this file compile the code for different machines, so it must be inside them.

// Bit k is about byte k of 64.
struct Bits {
  uint64_t line_ends = 0;
  uint64_t marks = 0;    // line ends and separators
  uint64_t returns = 0;  // CRs
  uint64_t odd = 0;      // quotes and NULs
  bool blanks = false;   // there may be blanks, CRs, quotes or NULs
};

#if defined(__SSE2__)
FUGU_HOT uint64_t bits_where(__m128i mask) { return static_cast<uint32_t>(_mm_movemask_epi8(mask)); }

FUGU_HOT Bits bits_of(const char* bytes, char separator) {
  auto equal = [](__m128i text, char c) { return _mm_cmpeq_epi8(text, _mm_set1_epi8(c)); };
  const char tab = separator == '\t' ? ' ' : '\t';
  Bits bits;
  __m128i text[4], rare = _mm_setzero_si128(), blanks = _mm_setzero_si128();
  for (int k = 0; k < 4; ++k) {
    text[k] = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes + 16 * k));
    __m128i line_ends = equal(text[k], '\n');
    bits.line_ends |= bits_where(line_ends) << (16 * k);
    bits.marks |= bits_where(_mm_or_si128(line_ends, equal(text[k], separator))) << (16 * k);
    __m128i odd = _mm_or_si128(equal(text[k], '"'), equal(text[k], '\0'));
    rare = _mm_or_si128(rare, _mm_or_si128(odd, equal(text[k], '\r')));
    blanks = _mm_or_si128(blanks, _mm_or_si128(equal(text[k], ' '), equal(text[k], tab)));
  }
  bits.blanks = _mm_movemask_epi8(_mm_or_si128(blanks, rare)) != 0;
  if (!bits.blanks) return bits;
  for (int k = 0; k < 4; ++k) {
    bits.returns |= bits_where(equal(text[k], '\r')) << (16 * k);
    bits.odd |= bits_where(_mm_or_si128(equal(text[k], '"'), equal(text[k], '\0'))) << (16 * k);
  }
  return bits;
}
#else
FUGU_HOT Bits bits_of(const char* bytes, char separator) {
  Bits bits;
  for (int k = 0; k < 64; ++k) {
    uint64_t bit = uint64_t{1} << k;
    char c = bytes[k];
    if (c == '\n') bits.line_ends |= bit;
    if (c == '\n' || c == separator) bits.marks |= bit;
    if (c == '\r') bits.returns |= bit;
    if (c == ' ' || (c == '\t' && c != separator) || c == '\r') bits.blanks = true;
    if (c == '"' || c == '\0') bits.odd |= bit;
  }
  return bits;
}
#endif

// Writes eight at a time, whether there are as many or not: guessing how many costs more than writing.
FUGU_HOT void write_marks(uint64_t bits, size_t count, uint32_t offset, uint32_t* to) {
  for (size_t done = 0; done < count; done += 8) {
    for (size_t k = 0; k < 8; ++k) {
      uint32_t mark = offset + static_cast<uint32_t>(std::countr_zero(bits));
#if defined(__GNUC__)
      asm(""
          : "+r"(mark));  // else the compiler gathers them in a vector, which takes longer than writing each
#endif
      to[done + k] = mark;
      bits &= bits - 1;
    }
  }
}

}  // namespace

FUGU_HOT MarkScan::Run MarkScan::run(MarkScan& scan, uint32_t* marks) {
  Run result;
  const char* at = scan.at_;
  const char* end = scan.end_;
  const char separator = scan.separator_;
  uint64_t after_return = scan.after_return_ ? 1 : 0;
  for (size_t block = 0; block < kBlocks && at < end; ++block, at += kBlock) {
    Bits bits = bits_of(at, separator);
    auto left = static_cast<uint64_t>(end - at);
    if (left < kBlock) {
      uint64_t inside = (uint64_t{1} << left) - 1;
      bits.line_ends &= inside;
      bits.marks &= inside;
      bits.returns &= inside;
      bits.odd &= inside;
    }
    uint64_t after_returns = bits.returns << 1 | after_return;
    if ((bits.odd | (after_returns & ~bits.line_ends)) != 0) return result;
    after_return = bits.returns >> 63;
    result.blanks |= bits.blanks;
    auto count = static_cast<size_t>(std::popcount(bits.marks));
    write_marks(bits.marks, count, static_cast<uint32_t>(at - scan.begin_), marks + result.marks);
    result.marks += count;
    result.line_ends += static_cast<size_t>(std::popcount(bits.line_ends));
  }
  scan.at_ = at;
  scan.after_return_ = after_return != 0;
  result.more = at < end;
  return result;
}

MarkScan::MarkScan(const char* begin, const char* end, char separator)
    : begin_(begin), end_(end), at_(begin), separator_(separator), next_(best()) {}

MarkScan::Run MarkScan::next_portable(MarkScan& scan, uint32_t* marks) { return run(scan, marks); }

#if defined(__x86_64__)
__attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt"))) MarkScan::Run MarkScan::next_avx2(MarkScan& scan,
                                                                                        uint32_t* marks) {
  return run(scan, marks);
}
#endif

MarkScan::Next MarkScan::best() {
#if defined(__x86_64__)
  static const bool newer = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
                            __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
  if (newer) return next_avx2;
#endif
  return next_portable;
}

}  // namespace fugu
