#include "fugu/verify/sum_rounded.h"

#include <algorithm>
#include <cstring>

namespace fugu::inline in_verify {
namespace {

// One block of sums is held in registers while the terms pass. No fused operations: not every machine has
// them.
constexpr size_t kLanes = 8, kRegisters = 8, kBlock = kLanes * kRegisters;
constexpr size_t kKept = size_t{1} << 20;  // cells, of each thread
using Lanes = double __attribute__((vector_size(kLanes * sizeof(double))));

// out[k] = sum over j of masses[j] * cells[k - offsets[j]] for 0 <= k < blocks * kBlock.
inline __attribute__((always_inline)) void sweep(const double* cells, size_t blocks,
                                                 std::span<const size_t> offsets,
                                                 std::span<const double> masses, double* out) {
  for (size_t at = 0; at < blocks * kBlock; at += kBlock) {
    Lanes sums[kRegisters];
#pragma GCC unroll 8
    for (size_t k = 0; k < kRegisters; ++k) sums[k] = Lanes{};
    for (size_t j = 0; j < masses.size(); ++j) {
      const double* const from = cells + at - offsets[j];
      const double mass = masses[j];
#pragma GCC unroll 8
      for (size_t k = 0; k < kRegisters; ++k) {
        Lanes next;
        std::memcpy(&next, from + k * kLanes, sizeof(next));
        sums[k] += mass * next;
      }
    }
#pragma GCC unroll 8
    for (size_t k = 0; k < kRegisters; ++k) std::memcpy(out + at + k * kLanes, &sums[k], sizeof(sums[k]));
  }
}

// The sum over k of [first[k] + minus_growth * second[k]]_+: every lane sums by itself, then one after the
// other.
inline __attribute__((always_inline)) double positive_rests(const double* first, const double* second,
                                                            size_t count, double minus_growth) {
  constexpr size_t kSums = 4, kStep = kSums * kLanes;
  Lanes sums[kSums] = {};
  size_t at = 0;
  for (; at + kStep <= count; at += kStep) {
#pragma GCC unroll 4
    for (size_t k = 0; k < kSums; ++k) {
      Lanes p, q;
      std::memcpy(&p, first + at + k * kLanes, sizeof(p));
      std::memcpy(&q, second + at + k * kLanes, sizeof(q));
      // The product with a negative number rounds the other way than one with its opposite, as it must.
      const Lanes rest = p + minus_growth * q;
      sums[k] += rest > 0 ? rest : Lanes{};
    }
  }
  double sum = 0;
  for (const Lanes& part : sums)
    for (size_t lane = 0; lane < kLanes; ++lane) sum += part[lane];
  for (; at < count; ++at) {
    const double rest = first[at] + minus_growth * second[at];
    sum += rest > 0 ? rest : 0;
  }
  return sum;
}

using Sweep = void (*)(const double*, size_t, std::span<const size_t>, std::span<const double>, double*);

void sweep_plain(const double* cells, size_t blocks, std::span<const size_t> offsets,
                 std::span<const double> masses, double* out) {
  sweep(cells, blocks, offsets, masses, out);
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) void sweep_avx2(const double* cells, size_t blocks,
                                                std::span<const size_t> offsets,
                                                std::span<const double> masses, double* out) {
  sweep(cells, blocks, offsets, masses, out);
}
__attribute__((target("avx512f"))) void sweep_avx512(const double* cells, size_t blocks,
                                                     std::span<const size_t> offsets,
                                                     std::span<const double> masses, double* out) {
  sweep(cells, blocks, offsets, masses, out);
}
#endif

Sweep fastest() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) return sweep_avx512;
  if (__builtin_cpu_supports("avx2")) return sweep_avx2;
#endif
  return sweep_plain;
}

using Rests = double (*)(const double*, const double*, size_t, double);

double rests_plain(const double* first, const double* second, size_t count, double minus_growth) {
  return positive_rests(first, second, count, minus_growth);
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) double rests_avx2(const double* first, const double* second, size_t count,
                                                  double minus_growth) {
  return positive_rests(first, second, count, minus_growth);
}
__attribute__((target("avx512f"))) double rests_avx512(const double* first, const double* second,
                                                       size_t count, double minus_growth) {
  return positive_rests(first, second, count, minus_growth);
}
#endif

Rests fastest_rests() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) return rests_avx512;
  if (__builtin_cpu_supports("avx2")) return rests_avx2;
#endif
  return rests_plain;
}

}  // namespace

double rounded_sum(double a, double b) { return a + b; }
double rounded_product(double a, double b) { return a * b; }

std::vector<double> convolved(std::vector<double> cells, std::span<const size_t> offsets,
                              std::span<const double> masses) {
  static const Sweep kSweep = fastest();
  const size_t span = offsets.back(), size = cells.size() + span, blocks = (size + kBlock - 1) / kBlock;
  // With zeros on both sides; kept, because most sums are short and there are many.
  thread_local std::vector<double> padded;
  padded.resize(std::max(padded.size(), span + blocks * kBlock));
  std::fill_n(padded.begin(), span, 0.0);
  std::copy(cells.begin(), cells.end(), padded.begin() + static_cast<std::ptrdiff_t>(span));
  std::fill(padded.begin() + static_cast<std::ptrdiff_t>(size),
            padded.begin() + static_cast<std::ptrdiff_t>(span + blocks * kBlock), 0.0);
  cells.resize(blocks * kBlock);
  kSweep(padded.data() + span, blocks, offsets, masses, cells.data());
  if (padded.size() > kKept) padded = {};
  cells.resize(size);
  return cells;
}

double excess(std::span<const double> first, std::span<const double> second, int64_t shift,
              double minus_growth) {
  static const Rests kRests = fastest_rests();
  const auto size = static_cast<int64_t>(first.size()), other = static_cast<int64_t>(second.size());
  const int64_t begin = std::clamp<int64_t>(-shift, 0, size),
                end = std::clamp<int64_t>(other - shift, begin, size);
  double sum = 0;
  for (int64_t k = 0; k < begin; ++k) sum += first[static_cast<size_t>(k)];
  if (begin < end) {
    sum += kRests(first.data() + begin, second.data() + begin + shift, static_cast<size_t>(end - begin),
                  minus_growth);
  }
  for (int64_t k = end; k < size; ++k) sum += first[static_cast<size_t>(k)];
  return sum;
}

}  // namespace fugu::inline in_verify
