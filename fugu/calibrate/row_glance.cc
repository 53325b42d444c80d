#include "fugu/calibrate/row_glance.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <type_traits>

#include "fugu/transport/walk.h"

namespace fugu::inline in_calibrate {
namespace {

constexpr int64_t kLongestTable = int64_t{1} << 20;
constexpr double kMargin = 1e-11;     // of the sums: doubles are off by far less
constexpr size_t kMostAtoms = 10000;  // up to which they are

}  // namespace

// Arithmetic: sum mass e^cost <= e^epsilon sum mass. Harmonic: e^-epsilon sum mass <= sum mass e^-cost.
RowGlance::RowGlance(const Task& task, Mean mean, Scale scale, int64_t enough) : enough_(enough) {
  if (task.farthest >= kLongestTable) return;
  const double epsilon = static_cast<double>(task.scenario.epsilon.value()),
               step = static_cast<double>(task.scenario.lattice.step);
  for (int64_t steps = 0; steps <= task.farthest; ++steps) {
    const double cost = steps == 0 ? 0
                        : scale.value == 0
                            ? HUGE_VAL
                            : -task.family.log_weight(step * static_cast<double>(steps), scale);
    const double adds = mean == Mean::kArithmetic
                            ? std::exp(cost - epsilon) * (1 + kMargin) - (1 - kMargin)
                            : std::exp(-epsilon) * (1 + kMargin) - std::exp(-cost) * (1 - kMargin);
    adds_.push_back(steps <= enough ? std::min(adds, 0.0) : adds);
  }
}

bool RowGlance::passes(const std::vector<Distribution>& secrets, const WithinSteps& within, size_t a,
                       size_t b) const {
  if (within.holds(a, b, enough_)) return true;
  const Distribution &from = secrets[a], &to = secrets[b];
  if (adds_.empty() || from.size() + to.size() > kMostAtoms || !from.weights().is_small() ||
      !to.weights().is_small())
    return false;
  double row = 0, column = 0, worst = 0;
  size_t i = 0, j = 0;
  walk_coupling(from, to, [&](size_t x, size_t y, const auto& mass) {
    if constexpr (!std::is_same_v<std::remove_cvref_t<decltype(mass)>, Integer>) {
      const double here =
          static_cast<double>(mass) * adds_[static_cast<size_t>(std::llabs(from.atoms()[x] - to.atoms()[y]))];
      worst = std::max({worst, x == i ? 0 : row, y == j ? 0 : column});
      row = (x == i ? row : 0) + here;
      column = (y == j ? column : 0) + here;
      i = x;
      j = y;
    } else {
      worst = HUGE_VAL;  // not by doubles
    }
  });
  return std::max({worst, row, column}) <= 0;
}

}  // namespace fugu::inline in_calibrate
