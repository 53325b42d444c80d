#include "fugu/proof/distance_bounds.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <vector>

#include "fugu/proof/grid_kernel.h"

namespace fugu::inline in_proof {
namespace {

constexpr double kMostProducts = 1e8;     // of two intervals: a quarter of a minute for each proof
constexpr int64_t kMostPowers = 200'000;  // of one tail
constexpr double kMostBalanced = 4e5;     // two intervals are held for each: a quarter of a gigabyte

int64_t widest_of(const std::vector<int64_t>& atoms) { return atoms.back() - atoms.front(); }

// The powers of each tail, up to the farthest that two values of its columns lie apart.
class KeptOnAxes {
 public:
  KeptOnAxes(const ProductGrid& grid, const JointNoise& noise, Bits bits) {
    for (size_t c = 0; c < noise.columns.size(); ++c) {
      const Rational tail = noise.columns[c].tail.value();
      std::vector<Interval>& powers = powers_[tail];
      if (powers.empty()) powers.emplace_back(Integer(1), bits);
      const auto farthest = static_cast<size_t>(widest_of(grid.axes()[c]));
      const Interval base(tail, bits);
      while (powers.size() <= farthest) powers.push_back(pow(base, powers.size()));
      by_axis_.push_back(&powers);
    }
  }

  Interval between(const std::vector<int64_t>& a, const std::vector<int64_t>& b) const {
    Interval kept = by_axis_[0]->front();
    for (size_t c = 0; c < a.size(); ++c) {
      if (a[c] != b[c]) kept *= (*by_axis_[c])[static_cast<size_t>(std::llabs(a[c] - b[c]))];
    }
    return kept;
  }

 private:
  std::map<Rational, std::vector<Interval>> powers_;
  std::vector<const std::vector<Interval>*> by_axis_;
};

// How much of every value of p each of q keeps, row by row.
using KeptOfPair = std::vector<std::vector<Interval>>;

// The largest over x' of sum_x m(x,x') / q(x'), where m(x,x') is v(x') kept(x,x')^4 times what makes its row
// p(x) of m kept: the transfer bound with that m, whatever v >= 0 is. Beginning with v = q, what comes to
// each x' is evened out a few times, and the least counts. Nullopt where a row has nothing.
std::optional<Interval> balanced_ratio(const Distribution& p, const Distribution& q, const KeptOfPair& kept,
                                       Bits bits) {
  KeptOfPair fourth = kept;
  for (auto& row : fourth) {
    for (Interval& here : row) here = pow(here, 4);
  }
  std::vector<Interval> v;
  for (size_t other = 0; other < q.size(); ++other) v.emplace_back(q.weights().at(other), bits);
  std::optional<Interval> least;
  for (int round = 0; round <= kBalances; ++round) {
    std::vector<Interval> come(q.size(), Interval(bits));
    for (size_t x = 0; x < p.size(); ++x) {
      std::vector<Interval> sent;
      Interval reached(bits);
      for (size_t other = 0; other < q.size(); ++other) {
        sent.push_back(fourth[x][other] * v[other]);
        reached += sent.back() * kept[x][other];
      }
      if (!reached.certainly_positive()) return std::nullopt;
      const Interval factor = Interval(p.weights().at(x), bits) / reached;
      for (size_t other = 0; other < q.size(); ++other) come[other] += sent[other] * factor;
    }
    Interval most(bits);
    for (size_t other = 0; other < q.size(); ++other) {
      come[other] /= Interval(q.weights().at(other), bits);
      if (upper_less(most, come[other])) most = come[other];
      // Any number will do: an exact one, so that its error does not count twice.
      const double next = come[other].certainly_positive() ? (v[other] / come[other]).lower() : 0;
      if (std::isfinite(next)) v[other] = Interval(exact(next), bits);
    }
    if (!least || upper_less(most, *least)) least = std::move(most);
  }
  return *least * Interval(q.total(), bits) / Interval(p.total(), bits);
}

// sum_x p(x) / sum_x' q(x') kept(x,x'), or what is balanced where that is less and `balances`; nullopt where
// there is no limit.
std::optional<Interval> mean_ratio(const Claim& claim, const Distribution& p, const Distribution& q,
                                   const KeptOnAxes& kept, bool balances, Bits bits) {
  KeptOfPair table;
  auto point = [&](int64_t atom) -> const std::vector<int64_t>& {
    return claim.points[static_cast<size_t>(atom)];
  };
  Interval ratio(bits);
  for (size_t x = 0; x < p.size(); ++x) {
    Interval reached(bits);
    if (balances) table.emplace_back();
    for (size_t other = 0; other < q.size(); ++other) {
      Interval here = kept.between(point(p.atoms()[x]), point(q.atoms()[other]));
      reached += Interval(q.weights().at(other), bits) * here;
      if (balances) table.back().push_back(std::move(here));
    }
    if (!reached.certainly_positive()) return std::nullopt;
    ratio += Interval(p.weights().at(x), bits) / reached;
  }
  ratio = ratio * Interval(q.total(), bits) / Interval(p.total(), bits);
  const auto balanced = balances ? balanced_ratio(p, q, table, bits) : std::nullopt;
  return balanced && upper_less(*balanced, ratio) ? *balanced : ratio;
}

}  // namespace

std::optional<DistanceBound> range_bound(const Claim& claim, const JointNoise& noise, Bits bits) {
  DistanceBound worst{.pair = claim.pairs.list(claim.secrets.size()).front(), .loss = Interval(bits)};
  for (size_t p = 0; p < claim.priors.size(); ++p) {
    const ProductGrid grid(claim, claim.priors[p]);
    Interval loss(bits);
    for (size_t c = 0; c < noise.columns.size(); ++c) {
      const int64_t range = widest_of(grid.axes()[c]);
      const Rational tail = noise.columns[c].tail.value();
      if (range == 0) continue;
      if (tail == 0) return DistanceBound{p, worst.pair, std::nullopt};
      loss += Interval(Integer(range), bits) * log(Interval(Rational(1 / tail), bits));
    }
    if (p > 0 && !upper_less(*worst.loss, loss)) continue;
    worst.prior = p;
    worst.loss = std::move(loss);
  }
  return worst;
}

bool balances(const Claim& claim) {
  double cells = 0;
  for (const Prior& prior : claim.priors) {
    for (auto [a, b] : claim.pairs.list(claim.secrets.size())) {
      const double here =
          static_cast<double>(prior.by_secret[a].size()) * static_cast<double>(prior.by_secret[b].size());
      if (here > kMostBalanced) return false;
      cells += here;
    }
  }
  return cells <= 2 * kMostBalanced;
}

bool has_mean_bound(const Claim& claim) {
  if (claim.blur() != 0) return false;
  double products = 0;
  for (const Prior& prior : claim.priors) {
    double values = 0;
    for (const Distribution& law : prior.by_secret) values += static_cast<double>(law.size());
    products += values * values * static_cast<double>(claim.axes.size());
    const ProductGrid grid(claim, prior);
    for (const auto& axis : grid.axes()) {
      if (widest_of(axis) > kMostPowers) return false;
    }
  }
  return products <= kMostProducts;
}

std::optional<DistanceBound> mean_bound(const Claim& claim, const JointNoise& noise, Bits bits) {
  if (!has_mean_bound(claim)) return std::nullopt;
  const bool balanced = balances(claim);
  std::optional<DistanceBound> worst;
  for (size_t prior = 0; prior < claim.priors.size(); ++prior) {
    const auto& laws = claim.priors[prior].by_secret;
    const KeptOnAxes kept(ProductGrid(claim, claim.priors[prior]), noise, bits);
    for (const SecretPair& pair : claim.pairs.list(claim.secrets.size())) {
      for (bool forth : {true, false}) {
        const Distribution &p = laws[forth ? pair.first : pair.second],
                           &q = laws[forth ? pair.second : pair.first];
        auto ratio = mean_ratio(claim, p, q, kept, balanced, bits);
        if (!ratio) return DistanceBound{prior, pair, std::nullopt};
        Interval loss = log(std::move(*ratio));
        if (worst && !upper_less(*worst->loss, loss)) continue;
        worst = DistanceBound{prior, pair, std::move(loss)};
      }
    }
  }
  return worst;
}

}  // namespace fugu::inline in_proof
