#include <map>

#include "fugu/calibrate/methods.h"
#include "fugu/calibrate/rows.h"
#include "fugu/core/search.h"
#include "fugu/mechanism/gaussian.h"
#include "fugu/transport/coupling.h"

namespace fugu::inline in_calibrate {
namespace {

// docs/math.md, section 6: the hockey-stick is jointly convex, so the plan's mean of the Gaussian one bounds
// it.
bool mean_hockey_at_most_delta(const Scenario& scenario, const std::vector<ProfilePoint>& profile,
                               Scale sigma) {
  auto decision = decide_with_more_bits(
      [&](Bits bits) -> std::optional<bool> {
        Interval sum(bits);
        Rational beyond(1);
        for (const ProfilePoint& point : profile) {
          const Rational mass = beyond - point.mass_beyond;
          beyond = point.mass_beyond;
          if (point.distance == 0) continue;
          const Rational distance = scenario.lattice.step * point.distance;
          sum +=
              Interval(mass, bits) * Gaussian::hockey_stick(distance, sigma, scenario.epsilon.value(), bits);
        }
        const Interval limit(scenario.delta.value(), bits);
        if (certainly_at_most(sum, limit)) return true;
        if (certainly_less(limit, sum)) return false;
        return std::nullopt;
      },
      128, 2048);
  return decision.value_or(false);
}

Scale gaussian_relaxed(const Task& task) {
  const Scenario& scenario = task.scenario;
  const Scale known = kantorovich_scale(task);
  Scale scale{0};
  for (const Prior& prior : scenario.priors) {
    for (auto [a, b] : scenario.pairs.list(scenario.secrets.size())) {
      const auto profile = distance_profile(prior.by_secret[a], prior.by_secret[b]);
      // Without noise the hockey-stick of two values apart is 1: what moves at all must be at most delta.
      const Rational moved = profile.front().distance == 0 ? profile.front().mass_beyond : Rational(1);
      if (moved <= scenario.delta.value()) continue;
      auto accept = [&](double sigma) { return mean_hockey_at_most_delta(scenario, profile, Scale{sigma}); };
      if (scale.value > 0 && accept(scale.value)) continue;
      scale = Scale{smallest_accepted(accept, known.value / 2, known.value)};
    }
  }
  return scale;
}

}  // namespace

Scale relaxed_scale(const Task& task) {
  return task.family.has_cost_bound() ? least_scale_for_rows(task, Mean::kArithmetic)
                                      : gaussian_relaxed(task);
}

}  // namespace fugu::inline in_calibrate
