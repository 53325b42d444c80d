#include "fugu/verify/transfer_rounded.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace fugu::inline in_verify {
namespace {

constexpr long double kNoLimit = std::numeric_limits<long double>::infinity();

size_t side_of(const Reals& matrix) {
  return static_cast<size_t>(std::lround(std::sqrt(static_cast<double>(matrix.size()))));
}

// Two laws on n states: mass has to go from the first to l times the second.
struct Move {
  const long double *from, *to;  // upper bounds, lower bounds
  const long double* growth;
  size_t n;
};

// What is left over of l times the second law where the first has less is shared out among what is too much
// elsewhere, everywhere in the same proportions. `share` is minus the part of it that this can take: -1 and
// less is enough.
struct Sharing {
  long double share = 0, slope = 0;
};

// Where the first law has too much, and where it has less.
struct Parts {
  explicit Parts(size_t n) : much(n), less(n), rest(n) {}
  std::vector<size_t> much, less;
  Reals rest;
};

// Rounded up, `share` is never below the truth: a product with -l rounds as it must.
Sharing share_out(const Move& move, long double l, Parts& parts) {
  size_t much = 0, less = 0;
  for (size_t x = 0; x < move.n; ++x) {
    parts.rest[x] = move.from[x] + (-l) * move.to[x];
    if (parts.rest[x] > 0) parts.much[much++] = x;
    if (parts.rest[x] < 0) parts.less[less++] = x;
  }
  if (much == 0) return {-kNoLimit, 0};
  Sharing sharing;
  long double direct = 0, indirect = 0;
  for (size_t j = 0; j < less; ++j) {
    const size_t y = parts.less[j];
    long double cost = 0, saved = 0;
    for (size_t i = 0; i < much; ++i) {
      const size_t x = parts.much[i];
      cost += parts.rest[x] * move.growth[x * move.n + y];
      saved += move.to[x] * move.growth[x * move.n + y];
    }
    const long double part = parts.rest[y] / cost;
    sharing.share += part;
    direct += move.to[y] / cost;
    indirect += part * saved / cost;
  }
  // A step of Newton's that is exact where the growth is the same everywhere.
  sharing.slope = direct + indirect / sharing.share;
  return sharing;
}

// Enough whatever the laws: the largest growth.
long double farthest_growth(const Reals& growth, size_t n) {
  long double farthest = 1;
  for (size_t k = 0; k < growth.size(); ++k)
    if (k / n != k % n) farthest = std::max(farthest, growth[k]);
  return farthest;
}

// Enough without moving any mass.
long double farthest_ratio(const Move& move) {
  long double ratio = 1;
  for (size_t x = 0; x < move.n; ++x)
    if (move.from[x] > 0) ratio = std::max(ratio, move.to[x] > 0 ? move.from[x] / move.to[x] : kNoLimit);
  return ratio;
}

// The largest E g under the first law over that under the second, over g with g(x) <= growth(x,y) g(y): one
// of the two is an equation.
long double least_of_two(const Move& move) {
  auto ratio = [&](long double g, long double h) {
    const long double minus = (-move.to[0]) * g + (-move.to[1]) * h;
    const long double found = (move.from[0] * g + move.from[1] * h) / -minus;
    return minus < 0 && found < kNoLimit ? found : kNoLimit;  // beyond the range it is no number
  };
  return std::max({1.0L, ratio(move.growth[1], 1), ratio(1, move.growth[2])});
}

long double least_by_sharing(const Move& move, long double most, long double guess, Parts& parts) {
  const long double bound = std::min(most, 1e4000L);
  long double low = 1, high = bound, l = std::clamp(guess, low, high);
  for (int step = 0; step < 100 && low < high; ++step) {
    const Sharing now = share_out(move, l, parts);
    (now.share <= -1 ? high : low) = l;
    long double next = l + (1 + now.share) / now.slope;
    const bool near = std::fabs(next - l) <= l * 0x1p-56L;
    if (near) next *= 1 + 0x1p-60L;
    if (!(next > low && next < high))
      next = near ? high : high > 4 * low ? std::sqrt(low) * std::sqrt(high) : low + (high - low) / 2;
    l = next;
    if (near) break;
  }
  for (long double more = 0x1p-60L; l < bound && !(share_out(move, l, parts).share <= -1); more *= 4)
    l *= 1 + more;
  return l < bound ? l : kNoLimit;
}

}  // namespace

Reals law_after(const Reals& law, const Reals& matrix) {
  const size_t n = law.size();
  Reals next(n, 0);
  for (size_t x = 0; x < n; ++x)
    for (size_t y = 0; y < n; ++y) next[y] += law[x] * matrix[x * n + y];
  return next;
}

Reals step_back(const Reals& before, const Reals& matrix, const Reals& after) {
  const size_t n = before.size();
  Reals back(n * n, 0);
  for (size_t x = 0; x < n; ++x) {
    for (size_t y = 0; y < n; ++y) {
      const long double both = before[y] * matrix[y * n + x];
      if (both > 0) back[x * n + y] = both / after[x];
    }
  }
  return back;
}

long double farthest_share(const Reals& high, const Reals& low) {
  long double largest = 1;
  for (size_t x = 0; x < high.size(); ++x)
    if (high[x] > 0) largest = std::max(largest, high[x] / low[x]);
  return largest;
}

Reals times(const Reals& a, const Reals& b) {
  Reals result(a.size());
  for (size_t k = 0; k < a.size(); ++k) result[k] = a[k] * b[k];
  return result;
}

Reals times(const Reals& a, long double b) {
  Reals result(a.size());
  for (size_t k = 0; k < a.size(); ++k) result[k] = a[k] * b;
  return result;
}

Reals odds_between(const Reals& low, const Reals& high) {
  const size_t n = low.size();
  Reals odds(n * n, kNoLimit);
  for (size_t u = 0; u < n; ++u)
    for (size_t v = 0; v < n; ++v)
      if (low[u] > 0 && high[v] > 0) odds[u * n + v] = high[v] / low[u];
  return odds;
}

void take_least(const double* ratios, long double cost, Reals& best) {
  for (size_t k = 0; k < best.size(); ++k) best[k] = std::min(best[k], ratios[k] * cost);
}

Reals limited(const Reals& table, const Reals& best, const Reals& odds) {
  Reals result = table;
  long double farthest = 1;
  for (size_t k = 0; k < best.size(); ++k) {
    const long double here = odds.empty() ? best[k] : best[k] * odds[k];
    farthest = std::max(farthest, here);
    if (table.size() > 1) result[k] = std::min(table[k], here);
  }
  if (table.size() == 1) result[0] = std::min(table[0], farthest);
  return result;
}

Reals passed_on(const Reals& low, const Reals& high, const Reals& growth, const Reals& guess) {
  const size_t n = side_of(growth);
  const long double farthest = farthest_growth(growth, n);
  Reals result(n * n, 1);
  Parts parts(n);
  for (size_t u = 0; u < n; ++u) {
    for (size_t v = 0; v < n; ++v) {
      if (u == v) continue;
      const Move move{&high[u * n], &low[v * n], growth.data(), n};
      const long double bound = std::min(farthest, farthest_ratio(move));
      const bool open = bound > 1 && std::any_of(move.to, move.to + n, [](auto m) { return m > 0; });
      const long double found = !open    ? bound
                                : n == 2 ? least_of_two(move)
                                         : least_by_sharing(move, bound, guess[u * n + v], parts);
      result[u * n + v] = found < bound ? found : bound;
    }
  }
  return result;
}

PairGrowth farthest_pair(const Reals& a, const Reals& b, const Reals& c, const std::vector<size_t>& states) {
  const size_t n = side_of(a);
  auto at = [](const Reals& table, size_t k) { return table.size() == 1 ? table[0] : table[k]; };
  PairGrowth farthest;
  for (const size_t u : states) {
    for (const size_t v : states) {
      if (u == v) continue;
      const long double growth = at(a, u * n + v) * at(b, u * n + v) * at(c, u * n + v);
      if (!(growth <= farthest.growth)) farthest = {growth, u, v};
    }
  }
  return farthest;
}

}  // namespace fugu::inline in_verify
