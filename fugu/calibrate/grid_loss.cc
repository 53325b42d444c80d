#include "fugu/calibrate/grid_loss.h"

#include <algorithm>

#include "fugu/calibrate/reals.h"
#include "fugu/proof/grid_kernel.h"

namespace fugu::inline in_calibrate {
namespace {

constexpr double kUnderflow = -1;  // in place of a loss, which is never negative

// Along one line: from[k] becomes the sum over j of from[j] power^|distance|.
template <class Real>
void spread_line(Real* from, size_t length, size_t stride, const std::vector<Real>& powers,
                 std::vector<Real>& right) {
  Real carried = Real::of(0);
  right[length - 1] = carried;
  for (size_t k = length - 1; k-- > 0;) right[k] = carried = powers[k] * (carried + from[(k + 1) * stride]);
  for (size_t k = 1; k < length; ++k)
    from[k * stride] = from[k * stride] + powers[k - 1] * from[(k - 1) * stride];
  for (size_t k = 0; k < length; ++k) from[k * stride] = from[k * stride] + right[k];
}

// On the whole grid, axis by axis.
template <class Real>
std::vector<Real> spread(const std::vector<double>& masses, const std::vector<std::vector<Real>>& powers) {
  std::vector<Real> at;
  at.reserve(masses.size());
  for (double mass : masses) at.push_back(Real::of(mass));
  size_t stride = at.size();
  for (const auto& axis : powers) {
    const size_t length = axis.size() + 1, block = stride;
    stride /= length;
    std::vector<Real> right(length);
    for (size_t begin = 0; begin < at.size(); begin += block) {
      for (size_t line = begin; line < begin + stride; ++line)
        spread_line(at.data() + line, length, stride, axis, right);
    }
  }
  return at;
}

}  // namespace

GridLoss::GridLoss(const Scenario& scenario)
    : all_pairs_(scenario.pairs.is_all() && scenario.is_plain()),
      epsilon_(static_cast<double>(scenario.epsilon.value())) {
  if (!all_pairs_) limits_ = approximate_limits(scenario);
  for (const Prior& prior : scenario.priors) {
    const ProductGrid product(scenario, prior);
    Grid grid;
    for (size_t c = 0; c < scenario.axes.size(); ++c) {
      const auto& atoms = product.axes()[c];
      const auto unit =
          static_cast<double>(Rational(scenario.axes[c].lattice.step / scenario.axes[c].weight));
      grid.gaps.emplace_back();
      for (size_t k = 0; k + 1 < atoms.size(); ++k)
        grid.gaps.back().push_back(unit * static_cast<double>(atoms[k + 1] - atoms[k]));
    }
    for (const Distribution& given : prior.by_secret) {
      std::vector<double>& on_grid = grid.masses.emplace_back(product.cells(), 0.0);
      const auto masses = given.approximate_masses();
      for (size_t k = 0; k < masses.size(); ++k)
        on_grid[product.cell(scenario.points[static_cast<size_t>(given.atoms()[k])])] = masses[k];
    }
    add_mixture(grid.masses, approximate_shares(scenario, prior));
    cells_ += product.cells() * prior.by_secret.size();
    grids_.push_back(std::move(grid));
  }
}

template <class Real>
double GridLoss::worst(const Grid& grid, double scale) const {
  std::vector<std::vector<Real>> powers;
  for (const auto& gaps : grid.gaps) {
    powers.emplace_back();
    for (double gap : gaps) powers.back().push_back(Real::power(-gap / scale));
  }
  double loss = 0;
  if (!all_pairs_) {
    std::vector<std::vector<Real>> all;
    for (const auto& masses : grid.masses) all.push_back(spread(masses, powers));
    for (const ApproximateLimit& limit : limits_) {
      const auto &first = all[limit.first], &second = all[limit.second];
      for (size_t k = 0; k < first.size(); ++k) {
        if (!first[k].usable() || !second[k].usable()) return kUnderflow;
        loss = std::max(loss, (first[k].logarithm() - second[k].logarithm()) * (epsilon_ / limit.epsilon));
      }
    }
    return loss;
  }
  std::vector<Real> high = spread(grid.masses[0], powers), low = high;
  for (size_t s = 1; s < grid.masses.size(); ++s) {
    const std::vector<Real> mass = spread(grid.masses[s], powers);
    for (size_t k = 0; k < mass.size(); ++k) {
      if (high[k] < mass[k]) high[k] = mass[k];
      if (mass[k] < low[k]) low[k] = mass[k];
    }
  }
  for (size_t k = 0; k < high.size(); ++k) {
    if (!low[k].usable()) return kUnderflow;
    loss = std::max(loss, high[k].logarithm() - low[k].logarithm());
  }
  return loss;
}

double GridLoss::at(Scale scale) const {
  double loss = 0;
  for (const Grid& grid : grids_) {
    double here = worst<PlainReal>(grid, scale.value);
    if (here == kUnderflow) here = worst<LogReal>(grid, scale.value);
    loss = std::max(loss, here);
  }
  return loss;
}

}  // namespace fugu::inline in_calibrate
