#include "fugu/compose/compose_columns.h"

#include <algorithm>

#include "fugu/compose/compose_changing.h"
#include "fugu/compose/joint_loss.h"
#include "fugu/compose/transfer_bound.h"
#include "fugu/compose/value_range.h"
#include "fugu/core/error.h"
#include "fugu/proof/refusals.h"

namespace fugu::inline in_compose {
namespace {

constexpr Bits kColumnBits = 128;

bool same_value(const Plan& a, const Plan& b) {
  try {
    check_same_value(a.scenario, b.scenario);
    return true;
  } catch (const Error&) {
    return false;
  }
}

// What one promise about secrets cannot span.
void check_same_question(const Scenario& first, const Scenario& other, Beliefs beliefs) {
  for (const Scenario* one : {&first, &other}) check_is_of_odds(*one);
  const size_t secrets = first.secrets.size();
  const bool same = first.source && other.source && first.source->secret == other.source->secret &&
                    first.secrets == other.secrets &&
                    first.pairs.list(secrets) == other.pairs.list(secrets) &&
                    first.lambda() == other.lambda() && first.confidence == other.confidence &&
                    first.bounded_by == other.bounded_by && first.sampling == other.sampling;
  if (!same) check_same_value(first, other);  // which says why it is another value
  check_same_known(first, other, beliefs);
}

// A row that is left out tells that its value is missing, whatever noise the others get.
std::optional<Rational> range_whatever_is_left_out(const Plan& plan) {
  if (plan.scenario.source && plan.scenario.source->missing == Missing::kDrop) return std::nullopt;
  return value_range(plan);
}

// Whether it hides the values themselves: then it adds to anything.
bool hides_values(const Plan& plan) {
  const auto range = range_whatever_is_left_out(plan);
  return range && *range <= plan.scenario.epsilon.value();
}

// One column read in two ways is rarely meant, and tells more than need be: that is said, but of methods
// which hide the values themselves.
void check_same_shape(const Plan& first, const Plan& other) {
  if (first.scenario.source->published == other.scenario.source->published && !hides_values(first) &&
      !hides_values(other))
    check_same_value(first.scenario, other.scenario);
}

}  // namespace

void share_points(std::vector<Plan>& plans) {
  std::vector<std::vector<int64_t>> points;
  for (const Plan& plan : plans)
    points.insert(points.end(), plan.scenario.points.begin(), plan.scenario.points.end());
  std::sort(points.begin(), points.end());
  points.erase(std::unique(points.begin(), points.end()), points.end());
  for (Plan& plan : plans) {
    Scenario& scenario = plan.scenario;
    if (scenario.points == points || std::holds_alternative<Swap>(plan.mechanism)) continue;
    for (Prior& prior : scenario.priors) {
      for (Distribution& law : prior.by_secret) {
        std::vector<int64_t> atoms;
        std::vector<Rational> masses;
        for (size_t k = 0; k < law.size(); ++k) {
          const auto& point = scenario.points[static_cast<size_t>(law.atoms()[k])];
          atoms.push_back(std::lower_bound(points.begin(), points.end(), point) - points.begin());
          masses.emplace_back(law.weights().at(k));
        }
        law = Distribution::from_masses(atoms, masses);
      }
    }
    scenario.points = points;
  }
}

std::vector<Composition> joint_bounds(const Scenario& scenario, const std::vector<Plan>& plans) {
  std::vector<const Mechanism*> mechanisms;
  for (const Plan& plan : plans) {
    if (!std::holds_alternative<JointNoise>(plan.mechanism)) {
      throw does_not_compose(
          "no bound is known for several releases of several columns whose rows trade places",
          "release these columns once, together; further copies of that release cost nothing");
    }
    mechanisms.push_back(&plan.mechanism);
  }
  const Rational sum = sum_of(plans).epsilon;
  std::vector<Composition> bounds;
  auto add = [&](const std::optional<Interval>& epsilon, const char* name) {
    if (epsilon) bounds.push_back({tidy(*epsilon, sum), Rational(0), name});
  };
  add(raw_loss(scenario, kColumnBits), "raw");
  add(transfer_bound(scenario, mechanisms, sum, kColumnBits), "transfer");
  // Of more values than the programme takes: any for any other.
  Rational ranges(0);
  for (const Plan& plan : plans) {
    const auto range = value_range(plan);
    if (!range) return bounds;
    ranges += *range;
  }
  bounds.push_back({ranges, Rational(0), "range"});
  return bounds;
}

bool of_one_value(const std::vector<Plan>& plans) {
  return std::all_of(plans.begin(), plans.end(),
                     [&](const Plan& plan) { return same_value(plans.front(), plan); });
}

std::vector<Composition> bounds_across(const std::vector<Plan>& plans, const std::optional<Rational>& asked,
                                       Beliefs beliefs) {
  std::vector<SameValues> sets;
  for (const Plan& plan : plans) {
    check_same_question(plans.front().scenario, plan.scenario, beliefs);
    auto set = std::find_if(sets.begin(), sets.end(),
                            [&](const SameValues& one) { return same_value(one.plans.front(), plan); });
    if (set == sets.end()) {
      for (const SameValues& one : sets) check_same_shape(one.plans.front(), plan);
      set = sets.insert(sets.end(), SameValues{{}, Rational(0)});
    }
    set->plans.push_back(plan);
    set->cover_those_of(plan.scenario);
    const auto range = range_whatever_is_left_out(plan);
    set->range = set->range && range ? std::optional(Rational(*set->range + *range)) : std::nullopt;
  }
  // The least of bounds that fail apart fails more often than each of them.
  if (sets.size() > 1 && plans.front().scenario.confidence) {
    throw does_not_compose(
        "the counts of each column are within its bounds with this confidence, not all together",
        "calibrate without --confidence");
  }
  std::vector<Composition> bounds = changing_bounds(sets, beliefs, asked);
  if (bounds.empty()) {
    for (const Plan& plan : plans) check_same_known(plans.front().scenario, plan.scenario, Beliefs::kSame);
    for (const Plan& plan : plans) check_same_value(plans.front().scenario, plan.scenario);
  }
  for (Composition& bound : bounds) bound.bound = "values";
  return bounds;
}

}  // namespace fugu::inline in_compose
