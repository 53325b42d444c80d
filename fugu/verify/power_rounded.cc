#include "fugu/verify/power_rounded.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace fugu::inline in_verify {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

// Never the second where that is no number: 0 over 0 bounds nothing.
inline double larger(double most, double value) { return value > most ? value : most; }

// row[v] += factor * from[v], several at a time.
inline void add_multiple(double* row, double factor, const double* from, size_t n) {
  constexpr size_t kLanes = 8;
  using Lanes = double __attribute__((vector_size(kLanes * sizeof(double))));
  size_t v = 0;
  for (; v + kLanes <= n; v += kLanes) {
    Lanes sum, term;
    std::memcpy(&sum, row + v, sizeof(sum));
    std::memcpy(&term, from + v, sizeof(term));
    sum += factor * term;
    std::memcpy(row + v, &sum, sizeof(sum));
  }
  for (; v < n; ++v) row[v] += factor * from[v];
}

}  // namespace

Doubles rounded_product(const Doubles& a, const Doubles& b, size_t n) {
  Doubles result(n * n, 0.0);
  for (size_t x = 0; x < n; ++x) {
    double* const row = &result[x * n];
    for (size_t w = 0; w < n; ++w) {
      const double factor = a[x * n + w];
      if (factor != 0) add_multiple(row, factor, &b[w * n], n);
    }
  }
  return result;
}

Doubles after_step(const Doubles& law, const Doubles& matrix) {
  const size_t n = law.size();
  Doubles next(n, 0.0);
  for (size_t x = 0; x < n; ++x) {
    if (law[x] == 0) continue;
    for (size_t y = 0; y < n; ++y) next[y] += law[x] * matrix[x * n + y];
  }
  return next;
}

Doubles largest_ratios(const Doubles& high, const Doubles& low, const std::vector<bool>& counts) {
  const size_t n = counts.size();
  Doubles result(n * n, 0.0), inverse(n);
  for (size_t u = 0; u < n; ++u) {
    if (!counts[u]) continue;
    for (size_t y = 0; y < n; ++y) inverse[y] = 1 / low[u * n + y];
    for (size_t x = 0; x < n; ++x) {
      const double top = high[u * n + x];
      if (top == 0) continue;
      double* const row = &result[x * n];
      for (size_t y = 0; y < n; ++y) row[y] = larger(row[y], top * inverse[y]);
    }
  }
  return result;
}

Doubles odds(const Doubles& low, const Doubles& high) {
  Doubles result;
  for (double bottom : low)
    for (double top : high) result.push_back(top / bottom);
  return result;
}

double largest_share(const Doubles& high, const Doubles& low) {
  double most = 0;
  for (size_t x = 0; x < high.size(); ++x)
    if (high[x] > 0) most = larger(most, high[x] / low[x]);
  return most;
}

LargestProduct largest_product(const double* a, const double* b, const double* c,
                               const std::vector<size_t>& states, size_t n) {
  LargestProduct most;
  for (size_t x : states) {
    for (size_t y : states) {
      if (x == y) continue;
      const size_t at = x * n + y;
      double here = 1;
      if (a) here *= a[at];
      if (b) here *= b[at];
      if (c) here *= c[at];
      if (std::isnan(here)) here = kInfinite;
      if (here > most.value) most = {here, x, y};
    }
  }
  return most;
}

double largest_spread(const Doubles& low, const Doubles& high, const std::vector<bool>& counts) {
  const size_t n = counts.size();
  double spread = 0;
  for (size_t v = 0; v < n; ++v) {
    double least = kInfinite, most = 0;
    for (size_t x = 0; x < n; ++x) {
      if (!counts[x]) continue;
      least = std::min(least, low[x * n + v]);
      most = std::max(most, high[x * n + v]);
    }
    if (most > 0) spread = larger(spread, least == 0 ? kInfinite : (most - least) / least);
  }
  return spread;
}

double largest_variation(const Doubles& low, const Doubles& high, const std::vector<bool>& counts) {
  const size_t n = counts.size();
  double variation = 0;
  for (size_t x = 0; x < n; ++x) {
    for (size_t y = 0; y < x; ++y) {
      if (!counts[x] || !counts[y]) continue;
      double sum = 0;
      for (size_t v = 0; v < n; ++v)
        sum += larger(high[x * n + v] - low[y * n + v], high[y * n + v] - low[x * n + v]);
      variation = larger(variation, sum / 2);
    }
  }
  return std::min(1.0, variation);
}

double shrunk(double spread, const Doubles& factors, uint64_t number) {
  const int top = static_cast<int>(std::bit_width(number)) - 1;
  for (int digit = 0; digit < top; ++digit)
    if (number >> digit & 1) spread *= factors[static_cast<size_t>(digit)];
  return std::isnan(spread) ? kInfinite : spread;
}

double rounded_cost(uint64_t count, double cost, double more) {
  return static_cast<double>(count) * cost + more;
}

}  // namespace fugu::inline in_verify
