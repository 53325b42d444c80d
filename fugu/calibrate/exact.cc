#include <algorithm>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <functional>

#include "fugu/calibrate/grid_loss.h"
#include "fugu/calibrate/laplace_loss.h"
#include "fugu/calibrate/methods.h"
#include "fugu/calibrate/scan.h"
#include "fugu/calibrate/shape_loss.h"
#include "fugu/core/search.h"
#include "fugu/proof/hockey.h"
#include "fugu/proof/loss.h"
#include "fugu/scenario/domain.h"
#include "fugu/verify/verify.h"

namespace fugu::inline in_calibrate {
namespace {

// Ideal Laplace noise: bounds of r = exp(-step/theta) itself, not of the dyadic that is drawn, so that what
// is decided speaks of the scale.
NoiseBounds ideal_laplace(const Task& task, Scale scale, Bits bits) {
  const Interval one(Integer(1), bits);
  Interval r = exp(task.family.log_weight(task.scenario.lattice.step, scale, bits));
  Interval total = (one + r) / (one - r);
  return {{one}, std::move(r), std::move(total)};
}

// Does it attain the budget? Where digits run out the answer is no.
bool attains(const Task& task, const BoxedLaws* boxed, Scale scale, Bits first) {
  const Scenario& scenario = task.scenario;
  auto decision = decide_with_more_bits(
      [&](Bits bits) -> std::optional<bool> {
        const NoiseBounds noise = ideal_laplace(task, scale, bits);
        if (!scenario.delta.is_zero())
          return bound_hockey(scenario, boxed, noise, nullptr, bits, task.progress).holds;
        auto loss = decide_loss(scenario, boxed, noise, Interval(scenario.epsilon.value(), bits), false,
                                task.progress);
        return loss ? std::optional(loss->holds) : std::nullopt;
      },
      first, scenario.blur() == 0 ? 8 * first : 2 * first);
  return decision.value_or(false);
}

// Where a falling measure of the scale crosses `limit`: in logarithms, uncertified.
double crossing(const std::function<double(Scale)>& measure, double limit, double known,
                const Progress& progress) {
  auto excess = [&](double log_scale) {
    report(progress, 0.5, "searching the scale");
    return std::clamp(std::log(measure(Scale{std::exp(log_scale)}) / limit), -50.0, 50.0);
  };
  double high = std::log(known), low = high - std::log(2.0);
  if (excess(high) >= 0) return known;
  while (excess(low) < 0) {
    high = low;
    low -= std::log(2.0);
    if (std::log(known) - low > 100) return std::exp(low);
  }
  std::uintmax_t steps = 60;
  auto [a, b] = boost::math::tools::toms748_solve(excess, low, high,
                                                  boost::math::tools::eps_tolerance<double>(51), steps);
  return std::exp((a + b) / 2);
}

// The loss and the hockey-stick of Laplace noise fall as the scale grows (docs/math.md, section 5), so the
// least scale is where they cross: guessed in doubles, then decided with certainty around the guess.
Scale exact_laplace(const Task& task) {
  const Scenario& scenario = task.scenario;
  const LaplaceLoss loss(scenario);
  const std::optional<BoxedLaws> boxes = boxes_if_any(scenario);
  const BoxedLaws* boxed = boxes ? &*boxes : nullptr;
  const bool pure = scenario.delta.is_zero();
  // The harmonic scale suffices and is the closer start; over very many pairs Theorem 1's costs far less.
  const bool few = static_cast<double>(scenario.pair_count()) * static_cast<double>(loss.cells()) < 2e7;
  const Scenario plain = plain_scenario(scenario);
  const Task odds{plain, task.family, task.progress, task.farthest, task.optimum};
  const Scale known = few ? harmonic_scale(odds) : kantorovich_scale(odds);
  // A hockey-stick is a difference: a small delta needs as many digits more.
  const Bits bits =
      pure ? 128 : 128 + static_cast<Bits>(-std::log2(static_cast<double>(scenario.delta.value())));
  auto measure = [&](Scale scale) {
    if (pure) return loss.at(scale);
    return bound_hockey(scenario, boxed, ideal_laplace(task, scale, bits), nullptr, bits, task.progress)
        .peak.upper;
  };
  const double limit = static_cast<double>(pure ? scenario.epsilon.value() : scenario.delta.value());
  const double guess = crossing(measure, limit, known.value, task.progress);
  // On large input the last digits are not worth a certified pass each; 38 bits are 4e-12.
  const int digits = loss.cells() < 100000 ? 53 : 38;
  return Scale{smallest_accepted(
      [&](double value) {
        report(task.progress, 0.9, "proving the scale");
        return attains(task, boxed, Scale{value}, bits);
      },
      guess, known.value, digits)};
}

// The same over every law that the counts allow: the worst of falling losses falls.
Scale robust_laplace(const Task& task) {
  const ShapeLoss loss(task);
  const Scale known = sensitivity_scale(task);
  const double guess =
      crossing([&](Scale scale) { return loss.over_budget(scale); }, 1, known.value, task.progress);
  return Scale{smallest_accepted(
      [&](double value) {
        report(task.progress, 0.9, "proving the scale");
        return prove(task.scenario, task.drawn(Scale{value}), task.progress).holds;
      },
      guess, known.value, 44)};
}

// Several columns: each coordinate's noise at a larger scale is that at a smaller one with more added, so the
// loss falls here too (docs/math.md, section 11).
Scale joint_laplace_scale(const Task& task) {
  const GridLoss loss(task.scenario);
  const Scale known = sensitivity_scale(task);
  const auto limit = static_cast<double>(task.scenario.epsilon.value());
  const double guess =
      crossing([&](Scale scale) { return loss.at(scale); }, limit, known.value, task.progress);
  return Scale{smallest_accepted(
      [&](double value) {
        report(task.progress, 0.9, "proving the scale");
        return prove(task.scenario, task.released(Scale{value}), task.progress).holds;
      },
      guess, known.value, loss.cells() < 100000 ? 44 : 38)};
}

}  // namespace

Scale exact_scale(const Task& task) {
  if (prove(task.scenario, task.released(Scale{0}), task.progress).holds) return Scale{0};
  if (task.scenario.is_joint()) return joint_laplace_scale(task);
  if (task.scenario.has_boxes() && task.family.name() == "laplace") return robust_laplace(task);
  return task.family.name() == "laplace" ? exact_laplace(task) : scan_for_least_scale(task);
}

}  // namespace fugu::inline in_calibrate
