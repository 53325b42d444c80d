#include "fugu/csv/mark_scan.h"

#include <bit>

#include "fugu/table/hot.h"

namespace fugu::inline in_csv {
namespace {

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

// The versions below compile this for different machines, so it must be inside them.
FUGU_HOT MarkScan::Run MarkScan::run(MarkScan& scan, uint32_t* marks) {
  Run result;
  const char* at = scan.at_;
  const char* end = scan.end_;
  BlockBits bits = scan.bits_;
  for (size_t block = 0; block < kBlocks && at < end; ++block, at += BlockBits::kSize) {
    if (!bits.next(at, static_cast<uint64_t>(end - at))) return result;
    auto count = static_cast<size_t>(std::popcount(bits.marks));
    write_marks(bits.marks, count, static_cast<uint32_t>(at - scan.begin_), marks + result.marks);
    result.marks += count;
    result.line_ends += static_cast<size_t>(std::popcount(bits.line_ends));
    result.bare &= bits.bare;
  }
  scan.at_ = at;
  scan.bits_ = bits;
  result.more = at < end;
  return result;
}

MarkScan::MarkScan(const char* begin, const char* end, char separator)
    : begin_(begin), end_(end), at_(begin), bits_(separator), next_(best()) {}

MarkScan::Run MarkScan::next_portable(MarkScan& scan, uint32_t* marks) { return run(scan, marks); }

#if defined(__x86_64__)
__attribute__((target("avx2,bmi,bmi2,popcnt"))) MarkScan::Run MarkScan::next_avx2(MarkScan& scan,
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

}  // namespace fugu::inline in_csv
