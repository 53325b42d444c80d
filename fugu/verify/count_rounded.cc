#include "fugu/verify/count_rounded.h"

#include <algorithm>

namespace fugu::inline in_verify {
namespace {

// to[c] += factor * from[c].
void add(long double factor, const long double* from, size_t count, long double* to) {
  if (factor == 0) return;
  for (size_t c = 0; c < count; ++c) to[c] += factor * from[c];
}

}  // namespace

std::vector<Reals> counts_after(const RoundedChain& chain, uint64_t length) {
  const size_t n = chain.states;
  std::vector<Reals> after{Reals(n, 1)};
  for (size_t t = 1; t < length; ++t) {
    Reals next(n * (t + 1), 0);
    for (size_t x = 0; x < n; ++x) {
      for (size_t y = 0; y < n; ++y)
        add(chain.matrix[x * n + y], &after.back()[y * t], t, &next[x * (t + 1) + (y == chain.counted)]);
    }
    after.push_back(std::move(next));
  }
  return after;
}

Reals counts_at_start(const RoundedChain& chain, uint64_t length) {
  Reals counts(chain.states * (length + 1), 0);
  for (size_t x = 0; x < chain.states; ++x) counts[x * (length + 1) + (x == chain.counted)] = chain.start[x];
  return counts;
}

void step_counts(const RoundedChain& chain, uint64_t time, Reals& counts) {
  const size_t n = chain.states, width = counts.size() / n;
  Reals next(counts.size(), 0);
  for (size_t x = 0; x < n; ++x) {
    for (size_t y = 0; y < n; ++y)
      add(chain.matrix[x * n + y], &counts[x * width], time + 1, &next[y * width + (y == chain.counted)]);
  }
  counts = std::move(next);
}

long double mass_of_state(const RoundedChain& chain, const Reals& counts, size_t state) {
  const size_t width = counts.size() / chain.states;
  long double mass = 0;
  for (size_t c = 0; c < width; ++c) mass += counts[state * width + c];
  return mass;
}

Reals released_with(const RoundedChain& chain, const Reals& counts, const Reals& after, uint64_t time,
                    size_t state) {
  const size_t width = counts.size() / chain.states, rest = width - 1 - time;
  const long double* const first = &counts[state * width];
  const long double* const second = &after[state * (rest + 1)];
  Reals law(width), released(width);
  for (size_t y = 0; y < width; ++y) {
    long double sum = 0;
    const size_t from = y > rest ? y - rest : 0, to = std::min<size_t>(y, time);
    for (size_t c = from; c <= to; ++c) sum += first[c] * second[y - c];
    law[y] = sum;
  }
  long double carried = 0;
  for (size_t y = 0; y < width; ++y) released[y] = carried = carried * chain.ratio + law[y];
  carried = 0;
  for (size_t y = width; y-- > 0;) {
    released[y] += carried;
    carried = (carried + law[y]) * chain.ratio;
  }
  return released;
}

long double rounded_quotient(long double a, long double b) { return a / b; }
double rounded_double(long double value) { return static_cast<double>(value); }

}  // namespace fugu::inline in_verify
