#include "fugu/compose/delta_bounds.h"

#include <algorithm>

#include "fugu/compose/exchange.h"
#include "fugu/compose/joint_excess.h"
#include "fugu/compose/joint_hockey.h"
#include "fugu/compose/plan_bounds.h"

namespace fugu::inline in_compose {
namespace {

constexpr Bits kDeltaBits = 128;

// The cells' delta falls as every plan's epsilon grows by one factor: the least factor, in 64ths, at which it
// is at most the sum of the plans' deltas. It is at most 1 where each shift of each noise keeps its plan's
// promise, as in Theorem 3.
std::optional<Composition> least_cells(const Scenario& scenario, const std::vector<Plan>& plans,
                                       const BudgetSum& sum) {
  if (sum.delta == 0 || scenario.confidence) return std::nullopt;
  std::optional<Composition> best;
  auto fits = [&](int64_t parts) {
    const Rational factor(parts, 64);
    std::vector<Exchange> releases;
    releases.reserve(plans.size());
    for (const Plan& plan : plans)
      releases.emplace_back(plan.mechanism, Rational(plan.scenario.epsilon.value() * factor), kDeltaBits);
    const auto delta = cell_bound(scenario, releases, kDeltaBits);
    if (!delta || !certainly_at_most(*delta, Interval(sum.delta, kDeltaBits))) return false;
    const Rational epsilon(sum.epsilon * factor);
    best = {parts == 64 ? epsilon : exact(round_up(epsilon)), tidy(*delta, sum.delta), "cells"};
    return true;
  };
  int64_t low = 0, high = 64;
  for (; !fits(high); high *= 2) {
    if (high > 4096) return std::nullopt;
    low = high;
  }
  while (high - low > 1) {
    const int64_t middle = low + (high - low) / 2;
    (fits(middle) ? high : low) = middle;
  }
  return best;
}

// The least epsilon found at which the hockey-stick is at most delta, up to 64 times `hoped`; a double, or
// `hoped` itself.
template <class Hockey>
std::optional<Composition> least_epsilon(const Hockey& hockey, const Rational& hoped, const Rational& delta,
                                         const char* name) {
  std::optional<Composition> best;
  auto fits = [&](const Rational& epsilon) {
    const double found = hockey.at(epsilon);
    if (!(found < 1) || exact(found) > delta) return false;
    best = {epsilon, exact(found), name};
    return true;
  };
  Rational low(0), high = hoped;
  if (fits(low)) return best;
  while (!fits(high)) {
    if (high > 64 * hoped) return std::nullopt;
    low = high;
    high = exact(round_up(Rational(2 * high)));
  }
  for (int k = 0; k < 30; ++k) {
    const Rational middle = exact(round_up(Rational((low + high) / 2)));
    if (middle >= high) break;
    (fits(middle) ? high : low) = middle;
  }
  return best;
}

}  // namespace

void add_delta_bounds(const Scenario& scenario, const std::vector<Plan>& plans,
                      const std::optional<Rational>& asked, std::vector<Composition>& bounds) {
  const BudgetSum sum = sum_of(plans);
  auto add = [&](const std::optional<Composition>& bound) {
    if (bound) bounds.push_back(*bound);
  };
  add(least_cells(scenario, plans, sum));
  std::vector<Rational> deltas;
  if (sum.delta > 0) deltas.push_back(sum.delta);
  if (asked && *asked > 0 && *asked != sum.delta) deltas.push_back(*asked);
  if (deltas.empty()) return;
  std::vector<const Mechanism*> mechanisms;
  for (const Plan& plan : plans) mechanisms.push_back(&plan.mechanism);
  const Rational& finest = *std::min_element(deltas.begin(), deltas.end());
  const auto joint = joint_hockey(scenario, mechanisms, finest);
  const auto losses = joint_excess(scenario, mechanisms, finest);
  for (const Rational& delta : deltas) {
    if (joint) add(least_epsilon(*joint, sum.epsilon, delta, "joint"));
    if (losses) add(least_epsilon(*losses, sum.epsilon, delta, "losses"));
  }
}

}  // namespace fugu::inline in_compose
