#include "fugu/transport/within_steps.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cstring>

#include "fugu/transport/coupling.h"
#include "fugu/transport/order_keys.h"

namespace fugu::inline in_transport {
namespace {

constexpr size_t kMostRanks = size_t{1} << 26;  // 256 MiB

using Lanes = int32_t __attribute__((vector_size(4 * sizeof(int32_t))));

// low[x] <= high[x] for every x: F(x) <= G(x + d) for all x, both ways, is W_inf <= d.
bool all_at_most(const int32_t* low, const int32_t* high, size_t count) {
  constexpr size_t kLanes = 4, kBlock = 4 * kLanes;  // compared between two looks whether to go on
  size_t at = 0;
  for (; at + kBlock <= count; at += kBlock) {
    Lanes above{};
#pragma GCC unroll 4
    for (size_t k = 0; k < kBlock; k += kLanes) {
      Lanes a, b;
      std::memcpy(&a, low + at + k, sizeof(a));
      std::memcpy(&b, high + at + k, sizeof(b));
      above |= a > b;
    }
    if (above[0] | above[1] | above[2] | above[3]) return false;
  }
  for (; at < count; ++at)
    if (low[at] > high[at]) return false;
  return true;
}

}  // namespace

WithinSteps::WithinSteps(std::span<const Distribution> distributions) : distributions_(distributions) {
  const auto values = union_support(distributions);
  const auto width = static_cast<size_t>(values.back() - values.front()) + 1;
  if (!keys_are_exact(distributions) || !is_dense(width, values.size()) ||
      width > kMostRanks / distributions.size())
    return;
  width_ = width;
  std::vector<std::vector<uint64_t>> keys(distributions.size());
  std::vector<uint64_t> order;
  for (size_t s = 0; s < keys.size(); ++s) {
    keys[s] = cumulative_keys(distributions[s]);
    order.insert(order.end(), keys[s].begin(), keys[s].end());
  }
  std::sort(order.begin(), order.end());
  order.erase(std::unique(order.begin(), order.end()), order.end());
  ranks_.assign(width * keys.size(), 0);
  tbb::parallel_for(size_t{0}, keys.size(), [&](size_t s) {
    int32_t* const row = ranks_.data() + s * width;
    auto at = order.begin();
    for (size_t k = 0; k < keys[s].size(); ++k) {
      at = std::lower_bound(at, order.end(), keys[s][k]);
      row[distributions[s].atoms()[k] - values.front()] = static_cast<int32_t>(at - order.begin()) + 1;
    }
    for (size_t x = 1; x < width; ++x) row[x] = std::max(row[x], row[x - 1]);
  });
}

bool WithinSteps::holds(size_t a, size_t b, int64_t steps) const {
  if (width_ == 0) return w_inf(distributions_[a], distributions_[b]) <= steps;
  const auto shift = static_cast<size_t>(steps);
  if (shift >= width_) return true;
  const int32_t *f = ranks_.data() + a * width_, *g = ranks_.data() + b * width_;
  // Beyond the grid everything is below.
  return all_at_most(f, g + shift, width_ - shift) && all_at_most(g, f + shift, width_ - shift);
}

}  // namespace fugu::inline in_transport
