#include "fugu/calibrate/hockey_guess.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>

#include "fugu/calibrate/positive_rests.h"

namespace fugu::inline in_calibrate {
namespace {

constexpr double kLeastDelta = 1e-9,
                 kMostGrowth = 1e3;  // a hockey-stick is a difference of numbers up to e^epsilon

// The sum over t = 1 … gap - 1 of [a r^t + b r^(gap - t)]_+, which changes sign at most once.
double gap_sum(double a, double b, double r, double gap) {
  if (a <= 0 && b <= 0) return 0;
  double from = 1, to = gap - 1;
  if (a <= 0 || b <= 0) {
    // Where both are as large: t of the one that falls.
    const double log_r = std::log(r), at = (gap + std::log(-std::min(a, b) / std::max(a, b)) / log_r) / 2;
    a > 0 ? to = std::clamp(std::ceil(at) - 1, 0.0, to)
          : from = std::clamp(gap - std::ceil(at) + 1, 1.0, gap);
  }
  if (to < from) return 0;
  return (a * std::pow(r, from) + b * std::pow(r, gap - to)) * (1 - std::pow(r, to - from + 1)) / (1 - r);
}

}  // namespace

bool HockeyGuess::serves(const Scenario& scenario) {
  return !scenario.delta.is_zero() && static_cast<double>(scenario.delta.value()) >= kLeastDelta &&
         std::exp(static_cast<double>(scenario.epsilon.value())) <= kMostGrowth && scenario.blur() == 0 &&
         scenario.is_plain() && !scenario.has_boxes() && !scenario.is_joint();
}

HockeyGuess::HockeyGuess(const Scenario& scenario)
    : pairs_(scenario.pairs.list(scenario.secrets.size())),
      secrets_(scenario.secrets.size()),
      growth_(std::exp(static_cast<double>(scenario.epsilon.value()))),
      delta_(static_cast<double>(scenario.delta.value())),
      step_(static_cast<double>(scenario.lattice.step)) {
  size_t most = 0;
  for (const Prior& prior : scenario.priors) {
    const std::vector<int64_t> values = union_support(prior.by_secret);
    most = std::max(most, values.size());
    Grid grid{{}, std::vector<double>(secrets_ * values.size(), 0.0), values.size(), true};
    for (size_t k = 0; k + 1 < values.size(); ++k) {
      grid.gaps.push_back(static_cast<double>(values[k + 1] - values[k]));
      grid.is_dense = grid.is_dense && grid.gaps.back() == 1;
    }
    for (size_t s = 0; s < secrets_; ++s) {
      const auto masses = prior.by_secret[s].approximate_masses();
      const auto atoms = prior.by_secret[s].atoms();
      for (size_t k = 0, at = 0; k < atoms.size(); ++k, ++at) {
        while (values[at] != atoms[k]) ++at;
        grid.masses[s * values.size() + at] = masses[k];
      }
    }
    grids_.push_back(std::move(grid));
  }
  error_ = static_cast<double>(most) * 0x1p-50 * (1 + growth_);
}

HockeyGuess::Law HockeyGuess::law(const Grid& grid, size_t secret, double ratio,
                                  const std::vector<double>& powers) const {
  const size_t n = grid.values;
  const double* const mass = grid.masses.data() + secret * n;
  const double whole = (1 - ratio) / (1 + ratio);
  Law law{std::vector<double>(n), {}, {}};
  if (!grid.is_dense) law.from_left = law.from_right = std::vector<double>(n - 1);
  double carried = 0;
  for (size_t k = 0; k < n; ++k) {
    law.at[k] = carried += whole * mass[k];
    if (k + 1 == n) break;
    if (!grid.is_dense) law.from_left[k] = carried;
    carried *= powers[k];
  }
  carried = 0;
  for (size_t k = n; k-- > 0;) {
    law.at[k] += carried;
    if (k == 0) break;
    carried += whole * mass[k];
    if (!grid.is_dense) law.from_right[k - 1] = carried;
    carried *= powers[k - 1];
  }
  return law;
}

HockeyGuess::Laws HockeyGuess::laws(Scale scale, const std::vector<bool>& wanted) const {
  Laws laws{{}, scale.value == 0 ? 0 : std::exp(-step_ / scale.value)};
  for (const Grid& grid : grids_) {
    std::vector<double> powers;
    for (double gap : grid.gaps)
      powers.push_back(scale.value == 0 ? 0 : std::exp(-gap * step_ / scale.value));
    auto& by_secret = laws.by_prior.emplace_back(secrets_);
    for (size_t s = 0; s < secrets_; ++s)
      if (wanted[s]) by_secret[s] = law(grid, s, laws.ratio, powers);
  }
  return laws;
}

double HockeyGuess::one_way(const Grid& grid, const Law& first, const Law& second, double ratio) const {
  const size_t n = grid.values;
  const double *p = first.at.data(), *q = second.at.data();
  double sum = positive_rests(p, 1, q, growth_, n);
  if (ratio == 0) return sum;
  for (size_t k = 0; !grid.is_dense && k + 1 < n; ++k) {
    if (grid.gaps[k] == 1) continue;
    sum += gap_sum(first.from_left[k] - growth_ * second.from_left[k],
                   first.from_right[k] - growth_ * second.from_right[k], ratio, grid.gaps[k]);
  }
  for (size_t end : {size_t{0}, n - 1}) sum += std::max(p[end] - growth_ * q[end], 0.0) * ratio / (1 - ratio);
  return sum;
}

double HockeyGuess::stick(const Laws& laws, SecretPair pair) const {
  double most = 0;
  for (size_t p = 0; p < grids_.size(); ++p) {
    const Law &a = laws.by_prior[p][pair.first], &b = laws.by_prior[p][pair.second];
    most = std::max({most, one_way(grids_[p], a, b, laws.ratio), one_way(grids_[p], b, a, laws.ratio)});
  }
  return most;
}

std::vector<double> HockeyGuess::sticks(Scale scale) const {
  const Laws all = laws(scale, std::vector<bool>(secrets_, true));
  std::vector<double> result(pairs_.size());
  tbb::parallel_for(tbb::blocked_range<size_t>(0, pairs_.size(), 64),
                    [&](const tbb::blocked_range<size_t>& range) {
                      for (size_t k = range.begin(); k < range.end(); ++k) result[k] = stick(all, pairs_[k]);
                    });
  return result;
}

HockeyGuess::Stick HockeyGuess::worst(Scale scale) const {
  const std::vector<double> all = sticks(scale);
  const auto most = std::max_element(all.begin(), all.end());
  return {pairs_[static_cast<size_t>(most - all.begin())], *most};
}

double HockeyGuess::at(const std::vector<SecretPair>& pairs, Scale scale) const {
  std::vector<bool> wanted(secrets_, false);
  for (auto [a, b] : pairs) wanted[a] = wanted[b] = true;
  const Laws some = laws(scale, wanted);
  double most = 0;
  for (const SecretPair& pair : pairs) most = std::max(most, stick(some, pair));
  return most;
}

std::vector<SecretPair> HockeyGuess::near_delta(Scale scale) const {
  const std::vector<double> all = sticks(scale);
  std::vector<SecretPair> result;
  for (size_t k = 0; k < all.size(); ++k)
    if (all[k] >= delta_ * (1 - kShare) - error_) result.push_back(pairs_[k]);
  return result;
}

}  // namespace fugu::inline in_calibrate
