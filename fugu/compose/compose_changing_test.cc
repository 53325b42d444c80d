#include "fugu/compose/compose_changing.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "fugu/compose/value_range.h"
#include "fugu/core/interval.h"
#include "tests/support/brute_force.h"
#include "tests/support/random_scenario.h"

namespace fugu {
namespace {

using testing::epsilon_of;
using testing::laplace_tail;

constexpr const char* kUnproved = "50";  // no plan here was calibrated: what it says of itself is left out
constexpr int64_t kMargin = 3;           // outputs beyond the values; Laplace's ratios are constant there

Plan plan_of(std::vector<Distribution> given, Noise noise) {
  Scenario scenario{epsilon_of("0.01")};
  scenario.secrets = {"a", "b"};
  scenario.priors = {{"p", std::move(given)}};
  return {scenario, "exact", std::move(noise), 0, {}, {}, {}, {}, {}};
}

Distribution at(int64_t value) { return Distribution::from_counts({value}, {1}); }

using JointLaw = std::vector<std::vector<uint64_t>>;  // by January's value, then February's: 0, 1, …

Distribution margin(const JointLaw& law, bool first) {
  std::vector<uint64_t> counts(first ? law.size() : law[0].size());
  for (size_t i = 0; i < law.size(); ++i) {
    for (size_t j = 0; j < law[i].size(); ++j) counts[first ? i : j] += law[i][j];
  }
  std::vector<int64_t> atoms;
  std::vector<uint64_t> positive;
  for (size_t k = 0; k < counts.size(); ++k) {
    if (counts[k] == 0) continue;
    atoms.push_back(static_cast<int64_t>(k));
    positive.push_back(counts[k]);
  }
  return Distribution::from_counts(atoms, positive);
}

// P(y_1, y_2 | s) when the values of both months have this joint law, in exact rationals.
Rational mass(const JointLaw& law, const Noise& first, const Noise& second, int64_t y1, int64_t y2) {
  Rational sum(0);
  Integer total(0);
  for (size_t i = 0; i < law.size(); ++i) {
    for (size_t j = 0; j < law[i].size(); ++j) {
      total += law[i][j];
      sum += law[i][j] * testing::weight_at(first, y1 - static_cast<int64_t>(i)) *
             testing::weight_at(second, y2 - static_cast<int64_t>(j));
    }
  }
  return Rational(sum / total);
}

// Whether all outputs' odds change by at most e^epsilon, both ways.
bool keeps(const JointLaw& a, const JointLaw& b, const Noise& first, const Noise& second,
           const Rational& epsilon) {
  const Rational growth = exact(exp(Interval(epsilon, 128)).upper());
  const auto rows = static_cast<int64_t>(a.size()), columns = static_cast<int64_t>(a[0].size());
  for (int64_t y1 = -kMargin; y1 < rows + kMargin; ++y1) {
    for (int64_t y2 = -kMargin; y2 < columns + kMargin; ++y2) {
      const Rational p = mass(a, first, second, y1, y2), q = mass(b, first, second, y1, y2);
      if (p > growth * q || q > growth * p) return false;
    }
  }
  return true;
}

std::vector<Composition> bounds_of(const JointLaw& a, const JointLaw& b, const Noise& first,
                                   const Noise& second) {
  std::vector<SameValues> sets;
  for (const bool january : {true, false}) {
    Plan plan = plan_of({margin(a, january), margin(b, january)}, january ? first : second);
    const auto range = value_range(plan);
    plan.scenario.epsilon = epsilon_of(kUnproved);
    sets.push_back({{plan}, range});
  }
  return changing_bounds(sets);
}

TEST(ComposeChanging, TheXorOfTwoMonthsHasNoBoundWithoutNoise) {
  // February's value is January's coin, or its opposite.
  const JointLaw same{{1, 0}, {0, 1}}, flipped{{0, 1}, {1, 0}};
  EXPECT_TRUE(bounds_of(same, flipped, no_noise("laplace"), no_noise("laplace")).empty());
  const Noise noise = laplace_tail(3, 2);  // one step keeps 3/4
  const auto bounds = bounds_of(same, flipped, no_noise("laplace"), noise);
  ASSERT_FALSE(bounds.empty());
  const Composition* least = least_bound(bounds, Rational(0));
  // Who has January's value sees February's through its noise alone: the bound is reached.
  EXPECT_NEAR(static_cast<double>(least->epsilon), std::log(4.0 / 3), 1e-12);
  EXPECT_TRUE(keeps(same, flipped, no_noise("laplace"), noise, least->epsilon));
  EXPECT_FALSE(keeps(same, flipped, no_noise("laplace"), noise, Rational(least->epsilon * 99 / 100)));
}

RC_GTEST_PROP(ComposeChanging, EveryBoundHoldsForEveryJointLaw, ()) {
  const auto rows = *rc::gen::inRange<size_t>(1, 4), columns = *rc::gen::inRange<size_t>(1, 4);
  auto law = [&] {
    JointLaw cells(rows, std::vector<uint64_t>(columns));
    for (auto& row : cells) {
      for (uint64_t& cell : row) cell = *rc::gen::element<uint64_t>(0, 0, 1, 5);
    }
    ++cells[*rc::gen::inRange<size_t>(0, rows)][*rc::gen::inRange<size_t>(0, columns)];
    return cells;
  };
  auto noise = [] {
    const int numerator = *rc::gen::inRange(0, 8);
    return numerator == 0 ? no_noise("laplace") : laplace_tail(numerator, 3);
  };
  const JointLaw a = law(), b = law();
  const Noise first = noise(), second = noise();
  for (const Composition& bound : bounds_of(a, b, first, second)) {
    if (bound.epsilon >= epsilon_of(kUnproved).value()) continue;
    RC_ASSERT(bound.delta == 0);
    RC_ASSERT(keeps(a, b, first, second, bound.epsilon));
  }
}

TEST(ComposeChanging, ADeltaGrowsWithTheOtherRanges) {
  Plan plan = plan_of({at(0), at(1)}, laplace_tail(3, 2));
  const Rational range = *value_range(plan);
  plan.scenario.delta = Delta::parse("1e-3", "test", ErrorKind::kData);
  const auto bounds = changing_bounds({{{plan}, std::nullopt}, {{}, range}});
  const Composition* least = least_bound(bounds, Rational(1));
  ASSERT_TRUE(least);
  EXPECT_EQ(least->epsilon, Rational(plan.scenario.epsilon.value() + range));
  EXPECT_NEAR(static_cast<double>(least->delta), 1e-3 * 4 / 3, 1e-12);
}

TEST(ValueRange, IsOverEveryValueThatIsTaken) {
  // Both secrets have 0 and 3, so that 1 and 2 are taken as well.
  const Distribution ends = Distribution::from_counts({0, 3}, {1, 1});
  const Plan plan = plan_of({ends, ends}, laplace_tail(1, 1));
  EXPECT_NEAR(static_cast<double>(*value_range(plan)), 3 * std::log(2), 1e-12);
  EXPECT_FALSE(value_range(plan_of({ends, ends}, no_noise("laplace"))));
  Noise wide = laplace_tail(15, 4);  // the nearest is the worst: one step keeps 1/9, three keep more
  wide.weights = {Integer(9), Integer(1), Integer(1), Integer(9), Integer(1), Integer(1), Integer(9)};
  const auto range = value_range(plan_of({ends, ends}, wide));
  ASSERT_TRUE(range);
  for (int64_t shift = 1; shift <= 3; ++shift) {
    for (int64_t z = -20; z <= 20; ++z) {
      EXPECT_LE(static_cast<double>(testing::weight_at(wide, z)),
                std::exp(static_cast<double>(*range)) *
                    static_cast<double>(testing::weight_at(wide, z - shift)) * (1 + 1e-12));
    }
  }
  // A constant column tells nothing.
  EXPECT_EQ(*value_range(plan_of({at(5), at(5)}, no_noise("laplace"))), 0);
}

TEST(ValueRange, OfAChannelIsOverItsInputs) {
  Plan plan = plan_of({at(0), at(1)}, laplace_tail(1, 1));
  Channel channel;
  channel.inputs = {0, 1, 2};
  channel.outputs = {0, 1};
  channel.weights = {{Integer(1), Integer(1)}, {Integer(2), Integer(1)}, {Integer(1), Integer(9)}};
  plan.mechanism = channel;
  // 2/3 against 1/10.
  EXPECT_NEAR(static_cast<double>(*value_range(plan)), std::log(20.0 / 3), 1e-12);
}

}  // namespace
}  // namespace fugu
