#include <algorithm>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>

#include "fugu/calibrate/laplace_loss.h"
#include "fugu/calibrate/methods.h"
#include "fugu/calibrate/search.h"
#include "fugu/mechanism/laplace.h"
#include "fugu/verify/verify.h"

namespace fugu {
namespace {

// Does ideal Laplace noise of this scale attain epsilon? Bounds of r = exp(-step/theta) itself, not of the dyadic that
// is drawn, so that the answer speaks of the scale. Where digits run out the answer is no.
bool attains(const Scenario& scenario, Scale scale) {
  auto decision = decide_with_more_bits(
      [&](Bits bits) {
        NoiseBounds noise{{Interval(Integer(1), bits)}, Laplace::ratio(scale, scenario.lattice, bits)};
        return decide_loss(scenario, noise, Interval(scenario.epsilon.value(), bits));
      },
      128, 1024);
  return decision && decision->holds;
}

// Where the loss crosses epsilon, in doubles.
double guess_scale(const LaplaceLoss& loss, double epsilon, double known, const Progress& progress) {
  auto excess = [&](double log_scale) {
    report(progress, 0.5, "searching the scale");
    return std::clamp(std::log(loss.at(Scale{std::exp(log_scale)}) / epsilon), -50.0, 50.0);
  };
  double high = std::log(known), low = high - std::log(2.0);
  if (excess(high) >= 0) return known;
  while (excess(low) < 0) {
    high = low;
    low -= std::log(2.0);
    if (std::log(known) - low > 100) return std::exp(low);
  }
  std::uintmax_t steps = 60;
  auto [a, b] = boost::math::tools::toms748_solve(excess, low, high, boost::math::tools::eps_tolerance<double>(51), steps);
  return std::exp((a + b) / 2);
}

}  // namespace

Scale exact_scale(const Task& task) {
  const Scenario& scenario = task.scenario;
  if (prove_loss(scenario, no_noise(task.family.name())).holds) return Scale{0};
  const LaplaceLoss loss(scenario);
  // The harmonic scale suffices and is the closer start; over very many pairs Theorem 1's costs far less.
  const bool few = static_cast<double>(scenario.pair_count()) * static_cast<double>(loss.cells()) < 2e7;
  const Scale known = few ? harmonic_scale(task) : kantorovich_scale(task);
  const double guess = guess_scale(loss, static_cast<double>(scenario.epsilon.value()), known.value, task.progress);
  // On large input the last digits are not worth a certified pass each; 38 bits are 4e-12.
  const int bits = loss.cells() < 100000 ? 53 : 38;
  return Scale{smallest_accepted(
      [&](double value) {
        report(task.progress, 0.9, "proving the scale");
        return attains(scenario, Scale{value});
      },
      guess, known.value, bits)};
}

}  // namespace fugu
