#include "fugu/calibrate/sliding_sum.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

// Each goes from the top down: a block reads only cells of its own and below, which are still the old ones.
// They differ in how many sums the registers hold, not in any result.

namespace fugu::inline in_calibrate {
namespace {

void sweep_plain(double* cells, size_t count, std::span<const size_t> offsets,
                 std::span<const double> masses) {
  for (size_t k = count; k-- > 0;) {
    double sum = 0;
    for (size_t j = 0; j < masses.size(); ++j)
      sum = std::fma(masses[j], *(cells + k - (offsets.empty() ? j : offsets[j])), sum);
    cells[k] = sum;
  }
}

#if defined(__x86_64__)

constexpr size_t kManyTerms = 64;  // from here on copies pay
constexpr size_t kRegisters = 8;   // sums under way at once: as many as hide the latency of an addition

__attribute__((target("avx2,fma"))) void sweep_avx2(double* cells, size_t count,
                                                    std::span<const size_t> offsets,
                                                    std::span<const double> masses) {
  constexpr size_t kBlock = 4 * kRegisters;
  static_assert(kSlidingBlock % kBlock == 0);
  for (size_t blocks = (count + kBlock - 1) / kBlock; blocks-- > 0;) {
    double* const block = cells + blocks * kBlock;
    __m256d sums[kRegisters] = {};
    for (size_t j = 0; j < masses.size(); ++j) {
      const __m256d mass = _mm256_set1_pd(masses[j]);
      const double* const from = block - (offsets.empty() ? j : offsets[j]);
#pragma GCC unroll 8
      for (size_t k = 0; k < kRegisters; ++k)
        sums[k] = _mm256_fmadd_pd(mass, _mm256_loadu_pd(from + 4 * k), sums[k]);
    }
#pragma GCC unroll 8
    for (size_t k = 0; k < kRegisters; ++k) _mm256_storeu_pd(block + 4 * k, sums[k]);
  }
}

// A load that is not aligned costs twice: with as many copies of the cells as a register holds numbers, each
// shifted by one more, every load is aligned.
class ShiftedCopies {
 public:
  static constexpr size_t kCopies = 8;

  // Of cells[-offset …  count - 1 + kSlidingBlock]. `offset` is a multiple of kCopies.
  ShiftedCopies(const double* cells, size_t offset, size_t count)
      : offset_(offset), size_((offset + count + 2 * kSlidingBlock) / kCopies * kCopies) {
    const size_t needed = kCopies * size_ + kCopies;
    if (store_.size() < needed) store_.resize(needed);
    void* begin = store_.data();
    size_t room = store_.size() * sizeof(double);
    copies_ = static_cast<double*>(std::align(kCopies * sizeof(double), sizeof(double), begin, room));
    const size_t length = offset + count + kSlidingBlock;
    for (size_t shift = 0; shift < kCopies; ++shift)
      std::copy_n(cells - offset - shift, length, copies_ + shift * size_);
  }

  // cells + place - offset, for a place that is a multiple of kCopies.
  const double* at(size_t place, size_t offset) const {
    return copies_ + offset % kCopies * size_ + offset_ + place - offset / kCopies * kCopies;
  }

 private:
  static thread_local std::vector<double> store_;
  size_t offset_, size_;
  double* copies_;
};
thread_local std::vector<double> ShiftedCopies::store_;

__attribute__((target("avx512f"))) void sweep_avx512(double* cells, size_t count,
                                                     std::span<const size_t> offsets,
                                                     std::span<const double> masses) {
  constexpr size_t kBlock = 8 * kRegisters;
  static_assert(kSlidingBlock % kBlock == 0);
  const size_t terms = masses.size(), blocks = (count + kBlock - 1) / kBlock;
  if (offsets.empty() && terms >= kManyTerms) {
    const size_t most =
        (terms + ShiftedCopies::kCopies - 1) / ShiftedCopies::kCopies * ShiftedCopies::kCopies;
    const ShiftedCopies copies(cells, most, count);
    for (size_t at = 0; at < blocks * kBlock; at += kBlock) {
      __m512d sums[kRegisters] = {};
      for (size_t j = 0; j < terms; ++j) {
        const __m512d mass = _mm512_set1_pd(masses[j]);
        const double* const from = copies.at(at, j);
#pragma GCC unroll 8
        for (size_t k = 0; k < kRegisters; ++k)
          sums[k] = _mm512_fmadd_pd(mass, _mm512_load_pd(from + 8 * k), sums[k]);
      }
#pragma GCC unroll 8
      for (size_t k = 0; k < kRegisters; ++k) _mm512_storeu_pd(cells + at + 8 * k, sums[k]);
    }
    return;
  }
  for (size_t block_number = blocks; block_number-- > 0;) {
    double* const block = cells + block_number * kBlock;
    __m512d sums[kRegisters] = {};
    for (size_t j = 0; j < terms; ++j) {
      const __m512d mass = _mm512_set1_pd(masses[j]);
      const double* const from = block - (offsets.empty() ? j : offsets[j]);
#pragma GCC unroll 8
      for (size_t k = 0; k < kRegisters; ++k)
        sums[k] = _mm512_fmadd_pd(mass, _mm512_loadu_pd(from + 8 * k), sums[k]);
    }
#pragma GCC unroll 8
    for (size_t k = 0; k < kRegisters; ++k) _mm512_storeu_pd(block + 8 * k, sums[k]);
  }
}

#endif

using Sweep = void (*)(double*, size_t, std::span<const size_t>, std::span<const double>);

Sweep fastest() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) return sweep_avx512;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return sweep_avx2;
#endif
  return sweep_plain;
}

}  // namespace

void sliding_sum(double* cells, size_t count, std::span<const size_t> offsets,
                 std::span<const double> masses) {
  static const Sweep kSweep = fastest();
  kSweep(cells, count, offsets, masses);
}

}  // namespace fugu::inline in_calibrate
