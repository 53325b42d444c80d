#include "fugu/compose/joint_excess.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "fugu/compose/compose.h"
#include "fugu/compose/compose_changing.h"
#include "fugu/compose/gaussian_sum.h"
#include "fugu/compose/joint_hockey.h"
#include "fugu/compose/plan_bounds.h"
#include "fugu/mechanism/gaussian.h"
#include "tests/support/brute_force.h"
#include "tests/support/joint_brute.h"
#include "tests/support/random_scenario.h"

namespace fugu {
namespace {

using testing::epsilon_of;
using testing::laplace_tail;

std::vector<const Mechanism*> pointers_to(const std::vector<Mechanism>& mechanisms) {
  std::vector<const Mechanism*> result;
  for (const Mechanism& mechanism : mechanisms) result.push_back(&mechanism);
  return result;
}

Noise random_lopsided() {
  Noise noise = no_noise("test");
  const auto reach = *rc::gen::inRange<size_t>(1, 4);
  noise.weights.clear();
  for (size_t k = 0; k < 2 * reach + 1; ++k) noise.weights.emplace_back(*rc::gen::inRange(1, 30));
  noise.tail = {Integer(*rc::gen::inRange(0, 8)), 3};
  return noise;
}

Noise random_gaussian() {
  const Gaussian gaussian;
  const double sigma = *rc::gen::inRange(8, 40) / 10.0;
  return gaussian.at(Scale{sigma}, Lattice{}, *rc::gen::inRange<int64_t>(3, 8));
}

Channel random_rows(const Scenario& scenario) {
  Channel channel{union_support(scenario.priors[0].by_secret), {0, 1, 5}, {}};
  for (size_t i = 0; i < channel.inputs.size(); ++i) {
    channel.weights.emplace_back();
    for (int k = 0; k < 3; ++k) channel.weights.back().emplace_back(*rc::gen::inRange(k == 0 ? 1 : 0, 9));
  }
  return channel;
}

Mechanism any_release(const Scenario& scenario) {
  switch (*rc::gen::inRange(0, 4)) {
    case 0:
      return random_lopsided();
    case 1:
      return random_rows(scenario);
    case 2:
      return random_gaussian();
    default:
      return laplace_tail(*rc::gen::inRange(1, 15), 4);
  }
}

// The largest hockey-stick over pairs, both ways: summed over outputs within `margin` of what the tables
// reach, with e^epsilon too large, it is at most the true one.
Rational least_joint_hockey(const Scenario& scenario, const std::vector<const Mechanism*>& releases,
                            const Rational& epsilon, int64_t margin) {
  const Rational growth = testing::exp_bounds(epsilon).high;
  const auto masses = testing::joint_masses(scenario.priors[0], releases, margin);
  Rational worst(0);
  for (auto [a, b] : scenario.pairs.list(scenario.secrets.size())) {
    for (auto [i, j] : {SecretPair{a, b}, SecretPair{b, a}}) {
      Rational hockey(0);
      for (size_t y = 0; y < masses[i].size(); ++y)
        hockey += std::max(Rational(0), Rational(masses[i][y] - growth * masses[j][y]));
      worst = std::max(worst, hockey);
    }
  }
  return worst;
}

// `slack` is for the ends of the noise that the brute force leaves out.
void check_hockey(const Scenario& scenario, const std::vector<Mechanism>& mechanisms, int64_t margin,
                  double slack,
                  const std::vector<Rational>& epsilons = {Rational(0), Rational(1, 5), Rational(1),
                                                           Rational(5, 2)}) {
  const auto releases = pointers_to(mechanisms);
  const auto hockey = joint_hockey(scenario, releases, Rational(1, 1000));
  RC_ASSERT(hockey.has_value());
  for (const Rational& epsilon : epsilons) {
    const Rational least = least_joint_hockey(scenario, releases, epsilon, margin);
    const double bound = hockey->at(epsilon);
    RC_ASSERT(least <= exact(bound));
    RC_ASSERT(bound <= static_cast<double>(least) + 1e-12 + slack);
  }
}

RC_GTEST_PROP(JointHockeyProperty, TwoReleasesAgainstBruteForce, ()) {
  const Scenario scenario = testing::small_scenario(4, 1);
  const Mechanism one = any_release(scenario);
  check_hockey(scenario, {one, *rc::gen::element(0, 1) ? one : any_release(scenario)}, 12, 1);
}

RC_GTEST_PROP(JointHockeyProperty, ThreeReleasesAgainstBruteForce, ()) {
  const Scenario scenario = testing::small_scenario(3, 1);
  const Mechanism twice = random_rows(scenario);
  check_hockey(scenario, {twice, laplace_tail(*rc::gen::inRange(1, 8), 4), twice}, 8, 4 * std::pow(0.5, 8));
  check_hockey(scenario, {twice, twice, twice}, 1, 0);
}

// Of two draws of a Gaussian the sum is looked at, but not of a noise that is only nearly one.
RC_GTEST_PROP(JointHockeyProperty, GaussiansBySumsAgainstBruteForce, ()) {
  Scenario scenario = testing::small_scenario(3, 1);
  scenario.lattice.step = *rc::gen::element(Rational(1), Rational(1, 2));
  const Noise noise =
      Gaussian().at(Scale{static_cast<double>(scenario.lattice.step) * *rc::gen::inRange(6, 9) / 10.0},
                    scenario.lattice, 11);
  check_hockey(scenario, {noise, noise}, 0, 2e-5, {Rational(*rc::gen::inRange(0, 30), 10)});
  const auto atoms = union_support(scenario.priors[0].by_secret);
  RC_ASSERT(gaussian_sum_rows(noise, scenario.lattice, atoms, 5, 2).has_value());
  Noise nearly = noise;
  nearly.weights[nearly.weights.size() / 2] += nearly.weights[nearly.weights.size() / 2] / 1'000'000;
  RC_ASSERT(!gaussian_sum_rows(nearly, scenario.lattice, atoms, 5, 2).has_value());
}

void check_excess(const Scenario& scenario, const std::vector<Mechanism>& mechanisms, int64_t margin) {
  const auto releases = pointers_to(mechanisms);
  const auto excess = joint_excess(scenario, releases, Rational(1, 100'000));
  RC_ASSERT(excess.has_value());
  const auto hockey = joint_hockey(scenario, releases, Rational(1, 100'000));
  for (const Rational& epsilon : {Rational(0), Rational(1, 5), Rational(1), Rational(5, 2)}) {
    const Rational bound = exact(excess->at(epsilon));
    RC_ASSERT(least_joint_hockey(scenario, releases, epsilon, margin) <= bound);
    // All outputs together have no more than the cells, but for the ends that are given away.
    if (hockey) RC_ASSERT(hockey->at(epsilon) <= excess->at(epsilon) + 1e-7 + 1e-12);
    // Never worse than the sum of the single ones, but for what the grid takes.
    std::vector<Exchange> each;
    const Rational part(epsilon / static_cast<int64_t>(mechanisms.size()));
    for (const Mechanism& mechanism : mechanisms) each.emplace_back(mechanism, part, 128);
    const auto cells = cell_bound(scenario, each, 128);
    if (cells) RC_ASSERT(bound <= exact(cells->upper()) + Rational(1, 2000));
  }
}

RC_GTEST_PROP(JointExcessProperty, TwoReleasesAgainstBruteForce, ()) {
  const Scenario scenario = testing::small_scenario(4, 1);
  check_excess(scenario, {any_release(scenario), any_release(scenario)}, 8);
}

RC_GTEST_PROP(JointExcessProperty, ThreeReleasesAgainstBruteForce, ()) {
  const Scenario scenario = testing::small_scenario(3, 1);
  const Mechanism twice = any_release(scenario);
  check_excess(scenario, {twice, laplace_tail(*rc::gen::inRange(1, 12), 4), twice}, 1);
}

// Every bound with a delta that compose states, at its own epsilon.
RC_GTEST_PROP(JointExcessProperty, StatedBoundsAgainstBruteForce, ()) {
  const Scenario scenario = testing::small_scenario(4, 1);
  const std::vector<Mechanism> mechanisms{any_release(scenario), any_release(scenario)};
  std::vector<Plan> plans;
  for (const Mechanism& mechanism : mechanisms) {
    plans.push_back(Plan{scenario, "exact", mechanism, 0, {}, {}, {}, {}, {}});
    plans.back().scenario.delta = Delta::parse("0.02", "test", ErrorKind::kData);
  }
  const Rational asked(*rc::gen::element(1, 30, 200), 1000);
  const auto bounds = sound_bounds(plans, Beliefs::kSame, asked);
  std::optional<Rational> cells, losses;
  for (const Composition& bound : bounds) {
    if (bound.bound == "cells") cells = bound.epsilon;
    if (bound.bound == "losses" && bound.delta <= Rational(1, 25))
      losses = losses ? std::min(*losses, bound.epsilon) : bound.epsilon;
    if (bound.delta == 0) continue;
    RC_ASSERT(bound.delta <= std::max(asked, Rational(1, 25)));
    RC_ASSERT(least_joint_hockey(scenario, pointers_to(mechanisms), bound.epsilon, 10) <= bound.delta);
  }
  // With the losses added there is a bound wherever there is one with the epsilons added.
  if (cells) RC_ASSERT(losses && *losses <= *cells * Rational(51, 50));
  const Composition* least = least_bound(bounds, Rational(1, 25));
  if (least && cells) RC_ASSERT(least->epsilon <= *cells);
}

Scenario two_points(int64_t distance) {
  Scenario scenario{epsilon_of("0.5")};
  scenario.secrets = {"a", "b"};
  scenario.priors = {
      {"p", {Distribution::from_counts({0}, {1}), Distribution::from_counts({distance}, {1})}}};
  return scenario;
}

// Between two values the bound is the truth, but for the grid: ten Gaussians are one, of the root of ten
// times the distance.
TEST(JointExcess, TenGaussiansAreOneTenTimesAsFarSquared) {
  const Gaussian gaussian;
  const Noise noise = gaussian.at(Scale{20}, Lattice{}, 200);
  const Scenario scenario = two_points(2);
  const std::vector<Mechanism> ten(10, noise);
  const auto excess = joint_excess(scenario, pointers_to(ten), Rational(1, 1'000'000));
  ASSERT_TRUE(excess.has_value());
  for (const char* epsilon : {"0.5", "1", "1.5"}) {
    const Rational at = epsilon_of(epsilon).value();
    const double truth = Gaussian::hockey_stick(Rational(2), Scale{20 / std::sqrt(10)}, at, 128).upper();
    EXPECT_NEAR(excess->at(at) / truth, 1, 2e-3) << epsilon;
  }
}

TEST(JointExcess, OfPureReleasesTheSumOfTheirLossesSuffices) {
  const Noise noise = laplace_tail(15, 4);  // a loss of log 16/15 a step
  const std::vector<Mechanism> three(3, noise);
  const auto excess = joint_excess(two_points(1), pointers_to(three), Rational(1, 1'000'000));
  ASSERT_TRUE(excess.has_value());
  const Rational sum = exact(3 * std::log(16.0 / 15));
  EXPECT_LE(excess->at(Rational(sum + Rational(1, 100'000))), 1e-6);
  EXPECT_GT(excess->at(Rational(sum - Rational(1, 100))), 1e-4);
}

// A delta makes fifty releases cheaper than the sum of their epsilons.
TEST(JointExcess, ManyPureReleasesWithADeltaThatIsAskedFor) {
  Plan plan{two_points(1), "exact", laplace_tail(15, 4), 0, {}, {}, {}, {}, {}};
  plan.scenario.epsilon = epsilon_of("0.07");
  const std::vector<Plan> fifty(50, plan);
  EXPECT_GT(compose(fifty).epsilon, Rational(32, 10));
  const Composition with = compose(fifty, Rational(1, 100'000));
  EXPECT_EQ(with.bound, "losses");
  EXPECT_LT(with.epsilon, Rational(23, 10));
  EXPECT_LE(with.delta, Rational(1, 100'000));
  // A single plan's, with a delta, is less than its own.
  EXPECT_LE(compose({plan}, Rational(1, 100)).epsilon, plan.scenario.epsilon.value());
}

TEST(JointExcess, SaysNothingWhereThereIsTooMuch) {
  const std::vector<Mechanism> one{laplace_tail(15, 4)};
  EXPECT_FALSE(joint_excess(two_points(3'000'000), pointers_to(one), Rational(1, 100)).has_value());
  // More exchanges than a grid that is fine enough could be made for.
  Scenario many = two_points(1);
  std::vector<int64_t> left, right;
  std::vector<uint64_t> counts;
  for (int64_t k = 0; k < 60'000; ++k) {
    left.push_back(k);
    right.push_back(4 * k);
    counts.push_back(1);
  }
  many.priors[0].by_secret = {Distribution::from_counts(left, counts),
                              Distribution::from_counts(right, counts)};
  EXPECT_FALSE(joint_excess(many, pointers_to(one), Rational(1, 100)).has_value());
}

// One output that is as good as certain under one value and next to impossible under the other.
TEST(JointExcess, OneLargeLossNeedsNoLongGrid) {
  const Integer much = Integer(1) << 100;
  const Mechanism channel = Channel{{0, 1}, {0, 1}, {{much, Integer(1)}, {Integer(1), much}}};
  const auto excess = joint_excess(two_points(1), {&channel, &channel}, Rational(1, 1000));
  ASSERT_TRUE(excess.has_value());
  EXPECT_NEAR(excess->at(Rational(1)), 1, 1e-9);
}

// Close beliefs and other columns make a delta larger: what is asked for is what comes out.
TEST(JointExcess, WhatIsAskedForHoldsForCloseBeliefsAndBesideOtherColumns) {
  Plan plan{two_points(1), "exact", laplace_tail(15, 4), 0, {}, {}, {}, {}, {}};
  const Rational asked(1, 1000);
  auto least_of = [&](const std::vector<Composition>& bounds) {
    const Composition* least = least_bound(bounds, asked);
    EXPECT_NE(least, nullptr);
    return least ? *least : Composition{};
  };
  const std::vector<Plan> many(30, plan);
  const Composition plain = least_of(sound_bounds(many, Beliefs::kSame, asked));
  EXPECT_EQ(plain.bound, "losses");

  std::vector<Plan> close = many;
  for (Plan& one : close) one.scenario.promise({epsilon_of("0.9"), Delta{}}, Rational(1, 10));
  const Composition near = least_of(sound_bounds(close, Beliefs::kSame, asked));
  EXPECT_EQ(near.bound, "losses");
  EXPECT_GT(near.epsilon, plain.epsilon + Rational(2, 10));
  EXPECT_GT(near.delta, asked * Rational(99, 100));

  const std::vector<SameValues> sets{{many, Rational(2)}, {{}, Rational(1)}};
  const Composition beside = least_of(changing_bounds(sets, Beliefs::kSame, asked));
  EXPECT_GT(beside.delta, asked * Rational(99, 100));
  EXPECT_GT(beside.epsilon, plain.epsilon + 1);
}

// With a confidence the laws are unknown, and every exchange within the domain counts in full.
TEST(JointExcess, WithAConfidenceAnyTwoValues) {
  Scenario scenario = two_points(3);
  scenario.priors[0].by_secret[0] = Distribution::from_counts({0, 3}, {50, 50});
  scenario.priors[0].by_secret[1] = Distribution::from_counts({0, 3}, {49, 51});
  const std::vector<Mechanism> two(2, laplace_tail(15, 4));
  const auto table = joint_excess(scenario, pointers_to(two), Rational(1, 1000));
  scenario.confidence = Rational(9, 10);
  const auto any = joint_excess(scenario, pointers_to(two), Rational(1, 1000));
  const auto far = joint_excess(two_points(3), pointers_to(two), Rational(1, 1000));
  ASSERT_TRUE(table && any && far);
  EXPECT_EQ(any->at(Rational(1, 10)), far->at(Rational(1, 10)));
  EXPECT_LT(table->at(Rational(1, 10)), 0.02 * any->at(Rational(1, 10)));
}

}  // namespace
}  // namespace fugu
