#include "fugu/models/sliding_sum.h"

#include <cmath>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

// Each goes from the top down: a block reads only cells of its own and below, which are still the old ones.
// They differ in how many sums the registers hold, not in any result.

namespace fugu {
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

constexpr size_t kRegisters = 8;  // sums under way at once: as many as hide the latency of an addition

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

__attribute__((target("avx512f"))) void sweep_avx512(double* cells, size_t count,
                                                     std::span<const size_t> offsets,
                                                     std::span<const double> masses) {
  constexpr size_t kBlock = 8 * kRegisters;
  static_assert(kSlidingBlock % kBlock == 0);
  for (size_t blocks = (count + kBlock - 1) / kBlock; blocks-- > 0;) {
    double* const block = cells + blocks * kBlock;
    __m512d sums[kRegisters] = {};
    for (size_t j = 0; j < masses.size(); ++j) {
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

}  // namespace fugu
