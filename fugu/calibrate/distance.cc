#include "fugu/calibrate/distance.h"

#include <algorithm>

#include "fugu/core/error.h"
#include "fugu/proof/grid_kernel.h"
#include "fugu/scenario/domain.h"
#include "fugu/transport/bottleneck.h"
#include "fugu/transport/coupling.h"
#include "fugu/transport/distances.h"

namespace fugu::inline in_calibrate {

Rational transport_distance(const Task& task) {
  const Scenario& scenario = task.scenario;
  if (scenario.is_joint()) return largest_bottleneck(scenario);
  const bool spares = !scenario.delta.is_zero() && task.family.has_cost_bound();
  int64_t steps = 0;
  for (const Prior& prior : scenario.priors) {
    if (!spares) {
      steps = std::max(steps, largest_w_inf(prior.by_secret, scenario.pairs));
      continue;
    }
    for (auto [a, b] : scenario.pairs.list(scenario.secrets.size())) {
      steps = std::max(steps, farthest_kept(prior.by_secret[a], prior.by_secret[b], scenario.delta.value()));
    }
  }
  return Rational(scenario.lattice.step * steps);
}

Rational range_distance(const Task& task) {
  if (task.scenario.is_joint()) {
    return grid_is_small(task.scenario) ? largest_joint_range(task.scenario)
                                        : widest_sum_of_ranges(task.scenario).distance;
  }
  if (task.scenario.confidence) {
    const auto domain = domain_of(task.scenario);  // any of these may occur under any secret
    return Rational(task.scenario.lattice.step * (domain.back() - domain.front()));
  }
  int64_t steps = 0;
  for (const Prior& prior : task.scenario.priors) {
    steps = std::max(steps, largest_range(prior.by_secret, task.scenario.pairs));
  }
  return Rational(task.scenario.lattice.step * steps);
}

const Rational& positive_delta(const Task& task) {
  if (task.scenario.delta.is_zero()) {
    throw Error(ErrorKind::kGuarantee, "Gaussian noise attains pure epsilon by this method for no scale",
                "give --delta, for example --delta 1e-6, or use --method exact or --noise laplace");
  }
  return task.scenario.delta.value();
}

Scale scale_for_distance(const Task& task, const Rational& distance) {
  if (distance == 0) return Scale{0};
  const Rational& delta = task.family.has_cost_bound() ? task.scenario.delta.value() : positive_delta(task);
  return task.family.scale_for(distance, task.scenario.least_budget().value(), delta);
}

}  // namespace fugu::inline in_calibrate
