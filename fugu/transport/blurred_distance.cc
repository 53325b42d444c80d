#include <algorithm>

#include "fugu/transport/distances.h"

namespace fugu::inline in_transport {
namespace {

// Bounds of a distribution function after each atom. A true mass is off by at most the blur times its nominal
// one, so what lies at or below an atom is off by at most the blur times the smaller of what is nominally
// below and above.
struct CumulativeBounds {
  std::vector<Rational> low, high;
};

CumulativeBounds cumulative_bounds(const Distribution& distribution) {
  CumulativeBounds bounds;
  Integer sum(0);
  for (size_t k = 0; k < distribution.size(); ++k) {
    sum += distribution.weights().at(k);
    const Rational below(sum, distribution.total());
    const Rational off = distribution.blur() * std::min(below, Rational(1 - below));
    bounds.low.emplace_back(below - off);
    bounds.high.emplace_back(below + off);
  }
  return bounds;
}

// The farthest that mass moves upward: the least d with F(x) <= G(x + d) for every x, F at its most and G at
// its least. Both are 1 at their last atoms.
int64_t farthest_up(const Distribution& from, const std::vector<Rational>& most, const Distribution& to,
                    const std::vector<Rational>& least) {
  int64_t farthest = 0;
  for (size_t k = 0, j = 0; k < from.size(); ++k) {
    while (least[j] < most[k]) ++j;
    farthest = std::max(farthest, to.atoms()[j] - from.atoms()[k]);
  }
  return farthest;
}

}  // namespace

int64_t most_w_inf(std::span<const Distribution> distributions, const PairSet& pairs) {
  const bool exact = std::all_of(distributions.begin(), distributions.end(),
                                 [](const Distribution& one) { return one.blur() == 0; });
  if (exact) return largest_w_inf(distributions, pairs);
  std::vector<CumulativeBounds> bounds;
  for (const Distribution& one : distributions) bounds.push_back(cumulative_bounds(one));
  int64_t largest = 0;
  for (auto [a, b] : pairs.list(distributions.size())) {
    largest =
        std::max({largest, farthest_up(distributions[a], bounds[a].high, distributions[b], bounds[b].low),
                  farthest_up(distributions[b], bounds[b].high, distributions[a], bounds[a].low)});
  }
  return largest;
}

}  // namespace fugu::inline in_transport
