#include "fugu/compose/influence.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "fugu/core/error.h"
#include "fugu/mechanism/joint_noise.h"
#include "fugu/transport/transfer.h"
#include "tests/support/brute_force.h"
#include "tests/support/random_scenario.h"

namespace fugu {
namespace {

using testing::epsilon_of;
using testing::laplace_tail;

Plan influence_plan(const Scenario& scenario, Mechanism mechanism) {
  return {scenario, "exact", std::move(mechanism), 0, {}, {}, {}, {}, {}};
}

// The largest lambda of a question, exact, where one step keeps `ratio`.
Rational largest_transfer(const Scenario& scenario, const Rational& ratio) {
  Rational largest(1);
  for (const Prior& prior : scenario.priors) {
    const auto values = union_support(prior.by_secret);
    auto masses = [&](const Distribution& law) {
      std::vector<Rational> all(values.size());
      for (size_t k = 0, at = 0; k < law.size(); ++k, ++at) {
        while (values[at] != law.atoms()[k]) ++at;
        all[at] = law.mass(k);
      }
      return all;
    };
    for (auto [a, b] : scenario.pairs.list(scenario.secrets.size())) {
      for (auto [i, j] : {SecretPair{a, b}, SecretPair{b, a}}) {
        TransferLine<Rational> line{masses(prior.by_secret[i]), masses(prior.by_secret[j]), {}};
        for (size_t k = 0; k + 1 < values.size(); ++k) {
          Rational kept(1);
          for (int64_t step = values[k]; step < values[k + 1]; ++step) kept *= ratio;
          line.kept.push_back(kept);
        }
        largest = std::max(largest, least_transfer(line));
      }
    }
  }
  return largest;
}

// Releases of any number and strength: as long as their influences fit, all together do.
RC_GTEST_PROP(Influence, WhatFitsKeepsTheBudgetAndTheNextDoesNot, ()) {
  const Scenario scenario = testing::random_scenario();
  RC_PRE(scenario.blur() == 0 && !scenario.confidence);
  const Rational budget(*rc::gen::inRange(1, 40), 10);
  const Noise noise = laplace_tail(*rc::gen::inRange(1, 64), 6);
  const auto account = InfluenceAccount::of({influence_plan(scenario, noise)}, budget);
  RC_ASSERT(account.has_value());
  const Rational ratio = noise.tail.value();
  const Interval limit = exp(Interval(budget, 256));
  RC_ASSERT(account->holds() == !certainly_less(limit, Interval(largest_transfer(scenario, ratio), 256)));
  if (!account->most()) return;
  const int64_t more = account->more_like_last(12);
  if (!account->holds()) return;
  Rational all(ratio);
  for (int64_t k = 0; k < more; ++k) all *= ratio;
  RC_ASSERT(!certainly_less(limit, Interval(largest_transfer(scenario, all), 256)));
  if (more == 12) return;
  all *= ratio;
  // One more passes the budget, unless that is decided beyond the digits in which the most is stated.
  const double next = account->spent() + static_cast<double>(more + 1) * account->of_last();
  if (next > (1 + 1e-6) * *account->most())
    RC_ASSERT(certainly_less(limit, Interval(largest_transfer(scenario, all), 256)));
}

TEST(Influence, OfTwoPointsIsTheLossItself) {
  Scenario scenario{epsilon_of("0.1")};
  scenario.secrets = {"a", "b"};
  scenario.priors = {
      {"empirical", {Distribution::from_counts({0}, {1}), Distribution::from_counts({2}, {1})}}};
  const Plan half = influence_plan(scenario, laplace_tail(1, 1));
  const auto account = InfluenceAccount::of({half, half}, Rational(7));
  ASSERT_TRUE(account.has_value());
  EXPECT_NEAR(account->spent(), 2 * std::log(2), 1e-15);
  EXPECT_GE(account->spent(), 2 * std::log(2));
  EXPECT_NEAR(*account->most(), 3.5, 1e-12);
  EXPECT_LE(*account->most(), 3.5);
  EXPECT_EQ(account->more_like_last(1000), 3);  // five times log 2 is 3.466
  EXPECT_EQ(account->more_like_last(2), 2);
}

TEST(Influence, IsWithoutEndWhereTheValueItselfTellsNoMore) {
  Scenario scenario{epsilon_of("0.1")};
  scenario.secrets = {"a", "b"};
  scenario.priors = {
      {"empirical",
       {Distribution::from_counts({0, 1}, {1, 1}), Distribution::from_counts({0, 1}, {10, 11})}}};
  const auto account = InfluenceAccount::of({influence_plan(scenario, laplace_tail(1, 1))}, Rational(1));
  ASSERT_TRUE(account.has_value());
  EXPECT_FALSE(account->most());
  EXPECT_EQ(account->more_like_last(50), 50);
}

TEST(Influence, IsOfLaplaceNoiseOnOneColumn) {
  Scenario scenario{epsilon_of("0.1")};
  scenario.secrets = {"a", "b"};
  scenario.priors = {
      {"empirical", {Distribution::from_counts({0}, {1}), Distribution::from_counts({2}, {1})}}};
  EXPECT_FALSE(InfluenceAccount::of({}, Rational(1)));
  EXPECT_FALSE(InfluenceAccount::of({influence_plan(scenario, no_noise("laplace"))}, Rational(1)));
  Noise wide = laplace_tail(1, 1);
  wide.weights = {Integer(1), Integer(2), Integer(1)};
  const Plan half = influence_plan(scenario, laplace_tail(1, 1));
  EXPECT_FALSE(InfluenceAccount::of({half, influence_plan(scenario, wide)}, Rational(1)));
  // Beliefs that are close to a prior take their part of any budget.
  Scenario close = scenario;
  close.promise({epsilon_of("1"), Delta{}}, Rational(1, 4));
  const Plan near = influence_plan(close, laplace_tail(1, 1));
  EXPECT_NEAR(*InfluenceAccount::of({near}, Rational(2))->most(), 0.75, 1e-12);
}

}  // namespace
}  // namespace fugu
