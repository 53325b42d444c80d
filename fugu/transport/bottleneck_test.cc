#include "fugu/transport/bottleneck.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <numeric>

#include "fugu/transport/coupling.h"
#include "tests/support/random_joint.h"

namespace fugu {
namespace {

using testing::joint_scenario;
using testing::JointCounts;

// Each atom as often as its count: n units a side, and every way to pair them off.
int64_t exhaustive(const Scenario& scenario, const WeightedSteps& steps) {
  std::vector<std::vector<Point>> units;
  for (const Distribution& given : scenario.priors[0].by_secret) {
    units.emplace_back();
    for (size_t k = 0; k < given.size(); ++k) {
      const auto count = static_cast<size_t>(given.weights().at(k));
      units.back().insert(units.back().end(), count, scenario.points[static_cast<size_t>(given.atoms()[k])]);
    }
  }
  std::vector<size_t> order(units[0].size());
  std::iota(order.begin(), order.end(), 0);
  int64_t best = INT64_MAX;
  do {
    int64_t farthest = 0;
    for (size_t k = 0; k < order.size(); ++k)
      farthest = std::max(farthest, steps.between(units[0][k], units[1][order[k]]));
    best = std::min(best, farthest);
  } while (std::next_permutation(order.begin(), order.end()));
  return best;
}

// Two clouds of `units` people each.
Scenario two_clouds(size_t columns, size_t units) {
  std::vector<JointCounts> clouds(2);
  for (JointCounts& cloud : clouds) {
    for (size_t k = 0; k < units; ++k) {
      Point point;
      for (size_t c = 0; c < columns; ++c) point.push_back(*rc::gen::inRange<int64_t>(0, 7));
      ++cloud[point];
    }
  }
  Scenario scenario = joint_scenario({clouds}, columns);
  for (Axis& axis : scenario.axes)
    axis.weight = *rc::gen::element<Rational>(Rational(1), Rational(2), Rational(3, 2));
  return scenario;
}

void equals_exhaustive(size_t columns, size_t units) {
  const Scenario scenario = two_clouds(columns, units);
  const WeightedSteps steps = weighted_steps(scenario);
  const auto& given = scenario.priors[0].by_secret;
  const int64_t found = bottleneck_distance(given[0], given[1], scenario.points, steps);
  RC_ASSERT(found == exhaustive(scenario, steps));
  RC_ASSERT(bottleneck_distance(given[1], given[0], scenario.points, steps) == found);
}

RC_GTEST_PROP(BottleneckProperty, EqualsExhaustiveSearchInTwoColumns, ()) { equals_exhaustive(2, 6); }
RC_GTEST_PROP(BottleneckProperty, EqualsExhaustiveSearchInThreeColumns, ()) { equals_exhaustive(3, 6); }

// A second column that is always the same: what is left is the monotone coupling of the first, whatever the
// totals of the two are.
RC_GTEST_PROP(BottleneckProperty, EqualsTheMonotoneCouplingOnALine, ()) {
  std::vector<JointCounts> clouds(2);
  for (JointCounts& cloud : clouds) {
    for (const auto& [point, count] : testing::random_cloud(1, 12, 30, 20)) cloud[{point[0], 5}] = count;
  }
  const Scenario scenario = joint_scenario({clouds}, 2);
  const auto& given = scenario.priors[0].by_secret;
  const Scenario line = scenario.column(0);
  RC_ASSERT(bottleneck_distance(given[0], given[1], scenario.points, weighted_steps(scenario)) ==
            w_inf(line.priors[0].by_secret[0], line.priors[0].by_secret[1]));
}

// By definition: every value of one secret against every value of the other.
RC_GTEST_PROP(JointRangeProperty, IsTheFarthestPairOfValues, ()) {
  const Scenario scenario = testing::random_joint_scenario(*rc::gen::inRange<size_t>(2, 5), 6, 9);
  Rational farthest(0);
  for (const Prior& prior : scenario.priors) {
    for (auto [a, b] : scenario.pairs.list(prior.by_secret.size())) {
      for (int64_t x : prior.by_secret[a].atoms()) {
        for (int64_t other : prior.by_secret[b].atoms()) {
          Rational distance(0);
          for (size_t c = 0; c < scenario.axes.size(); ++c) {
            const int64_t steps =
                scenario.points[static_cast<size_t>(x)][c] - scenario.points[static_cast<size_t>(other)][c];
            distance += scenario.axes[c].lattice.step * std::llabs(steps) / scenario.axes[c].weight;
          }
          farthest = std::max(farthest, distance);
        }
      }
    }
  }
  RC_ASSERT(largest_joint_range(scenario) == farthest);
  RC_ASSERT(largest_bottleneck(scenario) <= farthest);
}

// Moving each mass to the nearest place for it column by column is not allowed to split a person in two.
TEST(Bottleneck, XorMovesEverythingByOneColumn) {
  const Scenario scenario =
      joint_scenario({{JointCounts{{{0, 0}, 1}, {{1, 1}, 1}}, JointCounts{{{1, 0}, 1}, {{0, 1}, 1}}}}, 2);
  EXPECT_EQ(largest_bottleneck(scenario), 1);
  EXPECT_EQ(largest_joint_range(scenario), 1);
}

TEST(Bottleneck, RefusesWhatIsTooLarge) {
  JointCounts many, other;
  for (int64_t k = 0; k < 2001; ++k) many[{k, 0}] = other[{k, 1}] = 1;
  Scenario scenario = joint_scenario({{many, other}}, 2);
  EXPECT_THROW(largest_bottleneck(scenario), Error);
  scenario = joint_scenario(
      {{JointCounts{{{0, 0}, (uint64_t{1} << 40) + 1}}, JointCounts{{{0, 1}, uint64_t{1} << 40}}}}, 2);
  EXPECT_THROW(largest_bottleneck(scenario), Error);
}

}  // namespace
}  // namespace fugu
