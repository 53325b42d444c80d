#include "fugu/transport/distances.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <mutex>

#include "fugu/transport/coupling.h"
#include "fugu/transport/order_keys.h"

namespace fugu::inline in_transport {
namespace {

// Breakpoints of all quantile functions in order; `same` says whether one equals the breakpoint before it.
struct Breakpoint {
  uint64_t key;
  uint32_t secret;
};

// Follows every quantile function over its breakpoints: the largest gap between the highest and the lowest.
// Quantiles only grow, so the highest is a running maximum and the lowest a pointer that moves one way.
class Envelope {
 public:
  explicit Envelope(std::span<const Distribution> distributions)
      : distributions_(distributions), values_(union_support(distributions)), at_(distributions.size(), 0) {
    standing_.assign(values_.size(), 0);
    for (const Distribution& distribution : distributions) {
      ++standing_[rank(distribution.atoms()[0])];
      highest_ = std::max(highest_, distribution.atoms()[0]);
    }
    look();
  }
  void advance(uint32_t secret) {
    const auto atoms = distributions_[secret].atoms();
    --standing_[rank(atoms[at_[secret]])];
    if (++at_[secret] == atoms.size()) return;
    ++standing_[rank(atoms[at_[secret]])];
    highest_ = std::max(highest_, atoms[at_[secret]]);
  }
  void look() {
    while (lowest_ < values_.size() && standing_[lowest_] == 0) ++lowest_;
    if (lowest_ < values_.size()) largest_ = std::max(largest_, highest_ - values_[lowest_]);
  }
  int64_t largest() const { return largest_; }

 private:
  size_t rank(int64_t atom) const {
    // Dense supports, the common case, are found without a search.
    auto guess = static_cast<size_t>(atom - values_.front());
    if (guess < values_.size() && values_[guess] == atom) return guess;
    return static_cast<size_t>(std::lower_bound(values_.begin(), values_.end(), atom) - values_.begin());
  }

  std::span<const Distribution> distributions_;
  std::vector<int64_t> values_;
  std::vector<size_t> at_;
  std::vector<uint32_t> standing_;  // how many quantile functions stand at each value
  size_t lowest_ = 0;
  int64_t highest_ = INT64_MIN;
  int64_t largest_ = 0;
};

int64_t sweep_keys(std::span<const Distribution> distributions) {
  std::vector<Breakpoint> breaks;
  for (uint32_t s = 0; s < distributions.size(); ++s) {
    for (uint64_t key : cumulative_keys(distributions[s])) breaks.push_back({key, s});
  }
  std::sort(breaks.begin(), breaks.end(),
            [](const Breakpoint& a, const Breakpoint& b) { return a.key < b.key; });
  Envelope envelope(distributions);
  for (size_t k = 0; k < breaks.size();) {
    uint64_t key = breaks[k].key;
    while (k < breaks.size() && breaks[k].key == key) envelope.advance(breaks[k++].secret);
    if (k < breaks.size()) envelope.look();
  }
  return envelope.largest();
}

// The same with exact fractions, for totals of any size.
int64_t sweep_rationals(std::span<const Distribution> distributions) {
  std::map<Rational, std::vector<uint32_t>> breaks;
  for (uint32_t s = 0; s < distributions.size(); ++s) {
    Integer sum(0);
    for (size_t k = 0; k < distributions[s].size(); ++k) {
      sum += distributions[s].weights().at(k);
      breaks[Rational(sum, distributions[s].total())].push_back(s);
    }
  }
  Envelope envelope(distributions);
  for (const auto& [mass, secrets] : breaks) {
    for (uint32_t s : secrets) envelope.advance(s);
    if (mass != 1) envelope.look();
  }
  return envelope.largest();
}

// One distribution function on the dense grid of all values from the lowest to the highest, as order keys
// (0 where nothing is below): F(x) <= G(x + d) for all x, both ways, is W_inf <= d.
using DenseKeys = std::vector<uint64_t>;

DenseKeys dense_keys(const Distribution& distribution, int64_t low, size_t width) {
  DenseKeys dense(width, 0);
  auto keys = cumulative_keys(distribution);
  for (size_t k = 0; k < keys.size(); ++k)
    dense[static_cast<size_t>(distribution.atoms()[k] - low)] = keys[k];
  for (size_t x = 1; x < width; ++x) dense[x] = std::max(dense[x], dense[x - 1]);
  return dense;
}

// The least d >= start with f[x] <= g[x + d] for every x; beyond the grid g is at its top.
size_t least_shift(const DenseKeys& f, const DenseKeys& g, size_t start) {
  size_t d = start;
  for (size_t x = 0; x + d < f.size(); ++x) {
    while (x + d < g.size() && f[x] > g[x + d]) ++d;
  }
  return d;
}

// How many counts lie at or below each of `values`, which hold every atom.
std::vector<uint64_t> running_counts(const Distribution& distribution, const std::vector<int64_t>& values) {
  std::vector<uint64_t> sums(values.size());
  uint64_t sum = 0;
  for (size_t v = 0, k = 0; v < values.size(); ++v) {
    if (k < distribution.size() && distribution.atoms()[k] == values[v])
      sum += distribution.weights().small()[k++];
    sums[v] = sum;
  }
  return sums;
}

}  // namespace

int64_t largest_w_inf(std::span<const Distribution> distributions) {
  return keys_are_exact(distributions) ? sweep_keys(distributions) : sweep_rationals(distributions);
}

int64_t largest_w_inf(std::span<const Distribution> distributions, const PairSet& pairs) {
  if (pairs.is_all()) return largest_w_inf(distributions);
  int64_t largest = 0;
  for (auto [first, second] : pairs.list(distributions.size())) {
    largest = std::max(largest, w_inf(distributions[first], distributions[second]));
  }
  return largest;
}

std::vector<int64_t> w_inf_matrix(std::span<const Distribution> distributions, const Progress& progress) {
  const size_t count = distributions.size();
  std::vector<int64_t> matrix(count * count, 0);
  auto values = union_support(distributions);
  const auto width = static_cast<size_t>(values.back() - values.front()) + 1;
  const bool dense = keys_are_exact(distributions) && is_dense(width, values.size());
  std::vector<DenseKeys> keys(dense ? count : 0);
  if (dense) {
    tbb::parallel_for(size_t{0}, count,
                      [&](size_t s) { keys[s] = dense_keys(distributions[s], values.front(), width); });
  }
  constexpr size_t kRows = 32;  // rows between two reports of progress
  for (size_t block = 0; block < count; block += kRows) {
    tbb::parallel_for(block, std::min(block + kRows, count), [&](size_t a) {
      for (size_t b = a + 1; b < count; ++b) {
        int64_t steps =
            dense ? static_cast<int64_t>(least_shift(keys[b], keys[a], least_shift(keys[a], keys[b], 0)))
                  : w_inf(distributions[a], distributions[b]);
        matrix[a * count + b] = matrix[b * count + a] = steps;
      }
    });
    report(progress, static_cast<double>(block) / static_cast<double>(count), "measuring distances");
  }
  return matrix;
}

int64_t largest_range(std::span<const Distribution> distributions, const PairSet& pairs) {
  int64_t largest = 0;
  auto widen = [&](const Distribution& a, const Distribution& b) {
    largest = std::max({largest, a.atoms().back() - b.atoms().front(), b.atoms().back() - a.atoms().front()});
  };
  if (pairs.is_all()) {
    for (size_t a = 0; a < distributions.size(); ++a) {
      for (size_t b = a + 1; b < distributions.size(); ++b) widen(distributions[a], distributions[b]);
    }
  } else {
    for (auto [a, b] : pairs.list(distributions.size())) widen(distributions[a], distributions[b]);
  }
  return largest;
}

Rational largest_w_1(std::span<const Distribution> distributions, const PairSet& pairs) {
  const auto list = pairs.list(distributions.size());
  const auto values = union_support(distributions);
  size_t atoms = 0;
  for (const Distribution& distribution : distributions) atoms += distribution.size();
  if (!keys_are_exact(distributions) || values.size() > 4 * atoms / distributions.size() + 64) {
    Rational largest(0);
    for (auto [a, b] : list) largest = std::max(largest, w_1(distributions[a], distributions[b]));
    return largest;
  }
  // W_1 is the area between the two distribution functions: sum over values of gap * |c_a B - c_b A| / (A B).
  std::vector<std::vector<uint64_t>> sums(distributions.size());
  for (size_t s = 0; s < distributions.size(); ++s) sums[s] = running_counts(distributions[s], values);
  Rational largest(0);
  std::mutex guard;
  tbb::parallel_for(tbb::blocked_range<size_t>(0, list.size(), 256),
                    [&](const tbb::blocked_range<size_t>& range) {
                      Rational best(0);
                      for (size_t k = range.begin(); k < range.end(); ++k) {
                        auto [a, b] = list[k];
                        auto from_total = static_cast<uint64_t>(distributions[a].total());
                        auto to_total = static_cast<uint64_t>(distributions[b].total());
                        Wide area = 0;
                        for (size_t v = 0; v + 1 < values.size(); ++v) {
                          uint64_t left = sums[a][v] * to_total, right = sums[b][v] * from_total;
                          area += Wide(left > right ? left - right : right - left) *
                                  static_cast<uint64_t>(values[v + 1] - values[v]);
                        }
                        best = std::max(best, Rational(to_integer(area), Integer(from_total) * to_total));
                      }
                      std::lock_guard lock(guard);
                      largest = std::max(largest, best);
                    });
  return largest;
}

}  // namespace fugu::inline in_transport
