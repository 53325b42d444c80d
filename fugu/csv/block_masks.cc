#include "fugu/csv/block_masks.h"

#include <algorithm>
#include <array>
#include <bit>

#include "fugu/table/hot.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace fugu::inline in_csv {
namespace {

constexpr unsigned char kLastRare = '"';  // blanks, CR, NUL and the quote are at most that

#if defined(__x86_64__)

FUGU_HOT uint64_t equal(const __m128i* text, char c) {
  uint64_t bits = 0;
  for (int k = 0; k < 4; ++k) {
    const auto part = static_cast<uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(text[k], _mm_set1_epi8(c))));
    bits |= uint64_t{part} << (16 * k);
  }
  return bits;
}

FUGU_HOT bool has_rare(const __m128i* text, uint64_t marks) {
  const __m128i last = _mm_set1_epi8(static_cast<char>(kLastRare));
  uint64_t bits = 0;
  for (int k = 0; k < 4; ++k) {
    const __m128i low = _mm_cmpeq_epi8(_mm_min_epu8(text[k], last), text[k]);
    bits |= uint64_t{static_cast<uint32_t>(_mm_movemask_epi8(low))} << (16 * k);
  }
  return (bits & ~marks) != 0;
}

BlockMasks look_portable(const char* bytes, char separator) {
  __m128i text[4];
  for (size_t k = 0; k < 4; ++k) text[k] = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes) + k);
  BlockMasks found = {};
  found.line_ends = equal(text, '\n');
  found.marks = found.line_ends | equal(text, separator);
  found.rare = has_rare(text, found.marks);
  if (!found.rare) return found;
  found.quotes = equal(text, '"');
  found.returns = equal(text, '\r');
  found.nuls = equal(text, '\0');
  return found;
}

#define FUGU_AVX2 __attribute__((target("avx2,bmi,bmi2,pclmul,popcnt")))

// A product without carries adds up all bits below each.
FUGU_AVX2 FUGU_HOT uint64_t odd_up_to(uint64_t bits) {
  const __m128i factor = _mm_cvtsi64_si128(static_cast<int64_t>(bits)), ones = _mm_set1_epi8(-1);
  return static_cast<uint64_t>(_mm_cvtsi128_si64(_mm_clmulepi64_si128(factor, ones, 0)));
}

FUGU_AVX2 FUGU_HOT uint64_t equal(__m256i first, __m256i second, char c) {
  const __m256i wanted = _mm256_set1_epi8(c);
  const auto low = static_cast<uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(first, wanted)));
  const auto high = static_cast<uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(second, wanted)));
  return low | uint64_t{high} << 32;
}

FUGU_AVX2 FUGU_HOT BlockMasks look_avx2(const char* bytes, char separator) {
  const __m256i last = _mm256_set1_epi8(static_cast<char>(kLastRare));
  const __m256i first = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(bytes)),
                second = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(bytes) + 1);
  const __m256i low = _mm256_cmpeq_epi8(_mm256_min_epu8(first, last), first),
                high = _mm256_cmpeq_epi8(_mm256_min_epu8(second, last), second);
  BlockMasks found = {};
  found.line_ends = equal(first, second, '\n');
  found.marks = found.line_ends | equal(first, second, separator);
  const uint64_t small = static_cast<uint32_t>(_mm256_movemask_epi8(low)) |
                         uint64_t{static_cast<uint32_t>(_mm256_movemask_epi8(high))} << 32;
  found.rare = (small & ~found.marks) != 0;
  if (!found.rare) return found;
  found.quotes = equal(first, second, '"');
  found.returns = equal(first, second, '\r');
  found.nuls = equal(first, second, '\0');
  return found;
}

#define FUGU_AVX512 __attribute__((target("avx512f,avx512bw,avx512vbmi2,bmi,bmi2,pclmul,popcnt")))

FUGU_AVX512 FUGU_HOT BlockMasks look_avx512(const char* bytes, char separator) {
  const __m512i text = _mm512_loadu_si512(bytes);
  BlockMasks found = {};
  found.line_ends = _mm512_cmpeq_epi8_mask(text, _mm512_set1_epi8('\n'));
  found.marks = found.line_ends | _mm512_cmpeq_epi8_mask(text, _mm512_set1_epi8(separator));
  const uint64_t small = _mm512_cmple_epu8_mask(text, _mm512_set1_epi8(static_cast<char>(kLastRare)));
  found.rare = (small & ~found.marks) != 0;
  if (!found.rare) return found;
  found.quotes = _mm512_cmpeq_epi8_mask(text, _mm512_set1_epi8('"'));
  found.returns = _mm512_cmpeq_epi8_mask(text, _mm512_set1_epi8('\r'));
  found.nuls = _mm512_cmpeq_epi8_mask(text, _mm512_setzero_si512());
  return found;
}

#else

BlockMasks look_portable(const char* bytes, char separator) {
  BlockMasks found = {};
  for (size_t k = 0; k < kBlockSize; ++k) {
    const uint64_t bit = uint64_t{1} << k;
    const char c = bytes[k];
    if (c == '\n') found.line_ends |= bit;
    if (c == '\n' || c == separator) found.marks |= bit;
    if (c == '"') found.quotes |= bit;
    if (c == '\r') found.returns |= bit;
    if (c == '\0') found.nuls |= bit;
    found.rare |= static_cast<unsigned char>(c) <= kLastRare && c != '\n' && c != separator;
  }
  return found;
}

#endif

// The number of bits up to each: whether it is odd.
uint64_t odd_up_to_portable(uint64_t bits) {
  for (int shift = 1; shift < 64; shift *= 2) bits ^= bits << shift;
  return bits;
}

size_t find_portable(const char* bytes, size_t size, char separator, BlockBits& bits, BlockMarks* to) {
  BlockBits known = bits;
  size_t block = 0;
  for (; size > 0; size -= std::min(size, kBlockSize), bytes += kBlockSize, ++block) {
    BlockMasks found = look_portable(bytes, separator);
    if (size < kBlockSize) found.keep_first(size);
    if (found.rare) found.inside = odd_up_to_portable(found.quotes);
    if (!known.next(found)) break;
    to[block] = {found.line_ends, found.marks, found.rare};
  }
  bits = known;
  return block;
}

#if defined(__x86_64__)

FUGU_AVX2 size_t find_avx2(const char* bytes, size_t size, char separator, BlockBits& bits, BlockMarks* to) {
  BlockBits known = bits;
  size_t block = 0;
  for (; size > 0; size -= std::min(size, kBlockSize), bytes += kBlockSize, ++block) {
    BlockMasks found = look_avx2(bytes, separator);
    if (size < kBlockSize) found.keep_first(size);
    if (found.rare) found.inside = odd_up_to(found.quotes);
    if (!known.next(found)) break;
    to[block] = {found.line_ends, found.marks, found.rare};
  }
  bits = known;
  return block;
}

FUGU_AVX512 size_t find_avx512(const char* bytes, size_t size, char separator, BlockBits& bits,
                               BlockMarks* to) {
  BlockBits known = bits;
  size_t block = 0;
  for (; size > 0; size -= std::min(size, kBlockSize), bytes += kBlockSize, ++block) {
    BlockMasks found = look_avx512(bytes, separator);
    if (size < kBlockSize) found.keep_first(size);
    if (found.rare) found.inside = odd_up_to(found.quotes);
    if (!known.next(found)) break;
    to[block] = {found.line_ends, found.marks, found.rare};
  }
  bits = known;
  return block;
}

#endif

// Writes eight at a time, whether there are as many or not: guessing how many costs more than writing.
FUGU_HOT size_t write_block(uint64_t bits, uint32_t offset, uint32_t* to) {
  const auto count = static_cast<size_t>(std::popcount(bits));
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
  return count;
}

FUGU_HOT MarkCounts write_each(const BlockMarks* blocks, size_t count, uint32_t offset, uint32_t* to) {
  MarkCounts counts;
  for (size_t block = 0; block < count; ++block, offset += kBlockSize) {
    counts.marks += write_block(blocks[block].marks, offset, to + counts.marks);
    counts.line_ends += static_cast<size_t>(std::popcount(blocks[block].line_ends));
  }
  return counts;
}

MarkCounts write_portable(const BlockMarks* blocks, size_t count, uint32_t offset, uint32_t* to) {
  return write_each(blocks, count, offset, to);
}

#if defined(__x86_64__)

FUGU_AVX2 MarkCounts write_avx2(const BlockMarks* blocks, size_t count, uint32_t offset, uint32_t* to) {
  return write_each(blocks, count, offset, to);
}

// The numbers 0 to 63 of which those with a bit are pushed together, sixteen of them written at once.
FUGU_AVX512 MarkCounts write_avx512(const BlockMarks* blocks, size_t count, uint32_t offset, uint32_t* to) {
  alignas(64) static constexpr auto kPlaces = [] {
    std::array<uint8_t, kBlockSize> places{};
    for (size_t k = 0; k < kBlockSize; ++k) places[k] = static_cast<uint8_t>(k);
    return places;
  }();
  const __m512i places = _mm512_load_si512(kPlaces.data());
  MarkCounts counts;
  for (size_t block = 0; block < count; ++block, offset += kBlockSize) {
    const uint64_t bits = blocks[block].marks;
    const auto marks = static_cast<size_t>(std::popcount(bits));
    const __m512i first = _mm512_set1_epi32(static_cast<int>(offset));
    __m512i packed = _mm512_maskz_compress_epi8(bits, places);
    for (size_t done = 0; done < marks; done += 16) {
      // With masks of ones: GCC 12 takes what it leaves undefined in the plain ones for mistakes of ours.
      const __m512i some =
          _mm512_maskz_cvtepu8_epi32(0xFFFF, _mm512_maskz_extracti32x4_epi32(0xF, packed, 0));
      _mm512_storeu_si512(to + done, _mm512_add_epi32(some, first));
      packed = _mm512_maskz_alignr_epi32(0xFFFF, packed, packed, 4);
    }
    to += marks;
    counts.marks += marks;
    counts.line_ends += static_cast<size_t>(std::popcount(blocks[block].line_ends));
  }
  return counts;
}

#endif

}  // namespace

const BlockCode BlockCode::kPortable = {find_portable, write_portable};

#if defined(__x86_64__)
const BlockCode BlockCode::kAvx2 = {find_avx2, write_avx2};
const BlockCode BlockCode::kAvx512 = {find_avx512, write_avx512};

bool BlockCode::has_avx2() {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
         __builtin_cpu_supports("pclmul") && __builtin_cpu_supports("popcnt");
}

bool BlockCode::has_avx512() {
  return has_avx2() && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vbmi2");
}
#endif

const BlockCode& BlockCode::best() {
#if defined(__x86_64__)
  static const BlockCode& code = has_avx512() ? kAvx512 : has_avx2() ? kAvx2 : kPortable;
  return code;
#else
  return kPortable;
#endif
}

}  // namespace fugu::inline in_csv
