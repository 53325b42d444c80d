#include "fugu/calibrate/laplace_loss.h"

#include <tbb/blocked_range.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>

#include "fugu/calibrate/reals.h"

namespace fugu::inline in_calibrate {
namespace {

constexpr double kLaplaceUnderflow = -1;  // returned in place of a loss, which is never negative

}  // namespace

LaplaceLoss::LaplaceLoss(const Scenario& scenario)
    : all_pairs_(scenario.pairs.is_all() && scenario.is_plain()),
      epsilon_(static_cast<double>(scenario.epsilon.value())),
      step_(static_cast<double>(scenario.lattice.step)) {
  if (!all_pairs_) limits_ = approximate_limits(scenario);
  for (const Prior& prior : scenario.priors) {
    const std::vector<int64_t> values = union_support(prior.by_secret);
    const std::vector<double> shares = approximate_shares(scenario, prior);
    const size_t laws = prior.by_secret.size() + (shares.empty() ? 0 : 1);
    Grid grid{{}, std::vector<double>(laws * values.size(), 0.0), laws, values.size()};
    for (size_t k = 0; k + 1 < values.size(); ++k)
      grid.gaps.push_back(static_cast<double>(values[k + 1] - values[k]));
    for (size_t s = 0; s < prior.by_secret.size(); ++s) {
      const auto masses = prior.by_secret[s].approximate_masses();
      const auto atoms = prior.by_secret[s].atoms();
      for (size_t k = 0, at = 0; k < atoms.size(); ++k, ++at) {
        while (values[at] != atoms[k]) ++at;
        grid.masses[s * values.size() + at] = masses[k];
        if (!shares.empty()) grid.masses[shares.size() * values.size() + at] += shares[s] * masses[k];
      }
    }
    cells_ += grid.masses.size();
    grids_.push_back(std::move(grid));
  }
}

template <class Real>
double LaplaceLoss::worst(const Grid& grid, double steps_per_scale) const {
  const size_t n = grid.values;
  std::vector<Real> powers;
  for (double gap : grid.gaps) powers.push_back(Real::power(-gap * steps_per_scale));

  // P(value k | secret s), up to the noise's normalisation: one pass from each side.
  auto spread = [&](size_t s, Real* out) {
    const double* mass = grid.masses.data() + s * n;
    Real carried = Real::of(0);
    for (size_t k = 0; k < n; ++k) {
      carried = (k > 0 ? powers[k - 1] * carried : carried) + Real::of(mass[k]);
      out[k] = carried;
    }
    carried = Real::of(0);
    for (size_t k = n; k-- > 0;) {
      out[k] = out[k] + carried;
      if (k > 0) carried = powers[k - 1] * (carried + Real::of(mass[k]));
    }
  };

  if (!all_pairs_) {
    std::vector<Real> out(grid.secrets * n);
    for (size_t s = 0; s < grid.secrets; ++s) spread(s, out.data() + s * n);
    double loss = 0;
    for (const ApproximateLimit& limit : limits_) {
      for (size_t k = 0; k < n; ++k) {
        const Real p = out[limit.first * n + k], q = out[limit.second * n + k];
        if (!p.usable() || !q.usable()) return kLaplaceUnderflow;
        loss = std::max(loss, (p.logarithm() - q.logarithm()) * (epsilon_ / limit.epsilon));
      }
    }
    return loss;
  }

  struct Extremes {
    std::vector<Real> high, low, scratch;
  };
  tbb::enumerable_thread_specific<Extremes> local;
  auto run = [&](size_t begin, size_t end) {
    Extremes& mine = local.local();
    mine.scratch.resize(n);
    for (size_t s = begin; s < end; ++s) {
      spread(s, mine.scratch.data());
      if (mine.high.empty()) {
        mine.high = mine.low = mine.scratch;
        continue;
      }
      for (size_t k = 0; k < n; ++k) {
        mine.high[k] = mine.high[k] < mine.scratch[k] ? mine.scratch[k] : mine.high[k];
        mine.low[k] = mine.scratch[k] < mine.low[k] ? mine.scratch[k] : mine.low[k];
      }
    }
  };
  if (grid.masses.size() < 50000) {
    run(0, grid.secrets);
  } else {
    tbb::parallel_for(tbb::blocked_range<size_t>(0, grid.secrets, 16),
                      [&](const tbb::blocked_range<size_t>& range) { run(range.begin(), range.end()); });
  }
  double loss = 0;
  for (size_t k = 0; k < n; ++k) {
    Real high = Real::of(0), low = Real::of(HUGE_VAL);
    for (const Extremes& part : local) {
      high = high < part.high[k] ? part.high[k] : high;
      low = part.low[k] < low ? part.low[k] : low;
    }
    if (!low.usable()) return kLaplaceUnderflow;
    loss = std::max(loss, high.logarithm() - low.logarithm());
  }
  return loss;
}

double LaplaceLoss::at(Scale scale) const {
  double loss = 0;
  for (const Grid& grid : grids_) {
    double here = worst<PlainReal>(grid, step_ / scale.value);
    if (here == kLaplaceUnderflow) here = worst<LogReal>(grid, step_ / scale.value);
    loss = std::max(loss, here);
  }
  return loss;
}

}  // namespace fugu::inline in_calibrate
