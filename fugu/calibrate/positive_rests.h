// A hockey-stick's sum over masses that stand side by side, several at a time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace fugu::inline in_calibrate {

// The sum over k of [first[k] * more - second[k] * less]_+. Each addition rounds once, in an order that is
// the same on every machine.
inline double positive_rests(const double* first, double more, const double* second, double less,
                             size_t count) {
  constexpr size_t kLanes = 4, kSums = 2;
  using Lanes = double __attribute__((vector_size(kLanes * sizeof(double))));
  Lanes sums[kSums] = {};
  size_t at = 0;
  for (; at + kSums * kLanes <= count; at += kSums * kLanes) {
#pragma GCC unroll 2
    for (size_t k = 0; k < kSums; ++k) {
      Lanes p, q;
      std::memcpy(&p, first + at + k * kLanes, sizeof(p));
      std::memcpy(&q, second + at + k * kLanes, sizeof(q));
      const Lanes rest = p * more - q * less;
      sums[k] += rest > 0 ? rest : Lanes{};
    }
  }
  double sum = 0;
  for (const Lanes& part : sums)
    for (size_t lane = 0; lane < kLanes; ++lane) sum += part[lane];
  for (; at < count; ++at) sum += std::max(0.0, first[at] * more - second[at] * less);
  return sum;
}

}  // namespace fugu::inline in_calibrate
