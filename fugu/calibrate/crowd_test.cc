#include "fugu/calibrate/crowd.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "fugu/core/error.h"
#include "fugu/models/crowd_scenario.h"
#include "fugu/verify/verify_model.h"
#include "tests/support/brute_force.h"
#include "tests/support/model_refusal.h"
#include "tests/support/random_crowd.h"
#include "tests/support/random_scenario.h"

namespace fugu {
namespace {

using testing::budget_of;
using testing::crowd_of;
using testing::enumerated;
using testing::random_crowd;
using testing::refusal;

bool truly_holds(const Crowd& crowd, const Noise& noise, const Budget& budget) {
  const auto growth = testing::exp_bounds(budget.epsilon.value());
  for (const auto& user : enumerated(crowd)) {
    if (budget.delta.is_zero()
            ? testing::brute_ratio(user.prior, user.pairs, noise) > growth.high
            : testing::brute_hockey(user.prior, user.pairs, noise, growth.high) > budget.delta.value())
      return false;
  }
  return true;
}

// One step of the search's grid below, as it would be drawn.
Noise a_little_less(const ModelPlan& plan, double less) {
  return family_named(plan.noise.family)
      ->at(Scale{plan.noise.scale->value * (1 - less)}, plan.lattice(), plan.noise.reach());
}

// Lemma 2 of the paper: one user changes a count by one, so theta is 1 / epsilon.
TEST(CrowdCalibrate, Lemma2OfThePaper) {
  Crowd crowd = crowd_of({{Rational(3, 10), Rational(7, 10)}}, {0, 1});
  crowd.users[0].copies = 25;
  const ModelPlan plan = calibrate(crowd, budget_of("1"), "laplace");
  EXPECT_EQ(plan.method, "lemma2");
  EXPECT_EQ(plan.noise.scale->value, 1);
  EXPECT_LE(*plan.witness.loss, 1);
  EXPECT_GT(*plan.witness.loss, 1 - 1e-15);
  verify(plan);
}

RC_GTEST_PROP(CrowdCalibrate, finds_the_least_laplace_scale_for_pure_epsilon, ()) {
  Crowd crowd = random_crowd(4);
  if (crowd.letters.size() > 2) crowd.pairs = CrowdPairs::kBoth;  // the bound for absence is attained by two
  const Budget budget = budget_of(*rc::gen::element<std::string>("0.1", "0.5", "1", "2"));
  const ModelPlan plan = calibrate(crowd, budget, "laplace");
  verify(plan);
  if (plan.noise.is_none()) return;
  RC_ASSERT(truly_holds(crowd, plan.noise, budget));
  RC_ASSERT(!truly_holds(crowd, a_little_less(plan, 1e-9), budget));
}

RC_GTEST_PROP(CrowdCalibrate, finds_the_least_laplace_scale_with_delta, ()) {
  const Crowd crowd = random_crowd(4);
  const Budget budget = budget_of(*rc::gen::element<std::string>("0.1", "0.5", "1"),
                                  *rc::gen::element<std::string>("0.2", "0.01", "1e-5"));
  const ModelPlan plan = calibrate(crowd, budget, "laplace");
  verify(plan);
  if (plan.noise.is_none()) return;
  RC_ASSERT(truly_holds(crowd, plan.noise, budget));
  RC_ASSERT(!truly_holds(crowd, a_little_less(plan, 1e-8), budget));
}

RC_GTEST_PROP(CrowdCalibrate, finds_a_gaussian_scale_that_holds_and_less_does_not, ()) {
  const Crowd crowd = random_crowd(3);
  const Budget budget =
      budget_of(*rc::gen::element<std::string>("0.5", "1"), *rc::gen::element<std::string>("0.2", "0.01"));
  const ModelPlan plan = calibrate(crowd, budget, "gaussian");
  verify(plan);
  if (plan.noise.is_none()) return;
  RC_ASSERT(truly_holds(crowd, plan.noise, budget));
  RC_ASSERT(!truly_holds(crowd, a_little_less(plan, 1e-8), budget));
}

// The search and the proof are two computations: a plan that the first would make with too little noise, the
// second refuses.
RC_GTEST_PROP(CrowdCalibrate, a_little_less_noise_is_refused, ()) {
  const Crowd crowd = random_crowd(4);
  const Budget budget = budget_of(*rc::gen::element<std::string>("0.1", "0.5", "1"),
                                  *rc::gen::element<std::string>("0", "0.01", "1e-5"));
  ModelPlan plan = calibrate(crowd, budget, "laplace");
  RC_ASSERT(refusal(plan).empty());
  if (plan.noise.is_none()) return;
  const double scale = plan.noise.scale->value;
  plan.noise = a_little_less(plan, 1e-7);
  plan.mse = mean_square_error(plan.model, plan.noise);
  // Lemma 2's noise may be what a delta needs, or more.
  if (plan.method == "exact" || budget.delta.is_zero())
    RC_ASSERT(refusal(plan).find("by more than the budget") != std::string::npos);
  RC_ASSERT(plan.noise.scale->value < scale);
}

// A bound may be stated larger than it is, never smaller; and at the user where it is.
TEST(CrowdCalibrate, StatesABoundThatIsNotBelowTheProvedOne) {
  Crowd crowd = crowd_of({{1, 1}, {2, 1}, {1, 3}}, {0, 1});
  crowd.users[2].values = {0, 2};
  ModelPlan plan = calibrate(crowd, budget_of("0.5", "0.01"), "laplace");
  plan.noise = family_named("laplace")->at(Scale{1.0001 * plan.noise.scale->value}, plan.lattice(), 0);
  plan.mse = mean_square_error(plan.model, plan.noise);
  plan.witness = prove(plan.model, plan.budget, plan.method, plan.noise).witness;
  EXPECT_EQ(refusal(plan), "");
  EXPECT_EQ(plan.witness.place, "user 3");
  auto stated = [&](double delta) {
    ModelPlan forged = plan;
    forged.witness.delta = delta;
    return refusal(forged).empty();
  };
  EXPECT_TRUE(stated(*plan.witness.delta * (1 + 1e-12)));
  EXPECT_TRUE(stated(0.01));
  EXPECT_FALSE(stated(std::nextafter(*plan.witness.delta, 0)));
  EXPECT_FALSE(stated(0));
  EXPECT_FALSE(stated(0.0101));
  for (const char* place : {"user 1", "user 4", "every user", ""}) {
    ModelPlan elsewhere = plan;
    elsewhere.witness.place = place;
    EXPECT_EQ(refusal(elsewhere), "the plan does not verify: the witness is not where the loss is largest")
        << place;
  }
  ModelPlan other = plan;
  other.witness.pair = {"l0", "l0"};
  EXPECT_NE(refusal(other), "");
  other.witness = plan.witness;
  other.witness.loss = 0.1;
  EXPECT_NE(refusal(other), "");
}

// The exact calibrator on the expansion agrees with Lemma 2 for letters, and needs no more for absence.
TEST(CrowdCalibrate, TheExactCalibratorConfirmsLemma2) {
  std::vector<std::vector<Rational>> masses;
  for (int k = 0; k < 100; ++k) masses.push_back({Rational(k % 4 + 1, 8), Rational(7 - k % 4, 8)});
  for (const auto& [pairs, epsilon] : {std::pair{CrowdPairs::kValues, "0.5"}, {CrowdPairs::kAbsent, "0.5"}}) {
    const Crowd crowd = crowd_of(masses, {0, 1}, pairs);
    const double lemma = calibrate(crowd, budget_of(epsilon), "laplace").noise.scale->value;
    const Scenario scenario = crowd_scenario(crowd, budget_of(epsilon));
    const double found = calibrate(scenario, "exact", "laplace").noise().scale->value;
    if (pairs == CrowdPairs::kValues) {
      EXPECT_NEAR(lemma, found, 1e-9);
      EXPECT_EQ(lemma, 2);
    } else {
      EXPECT_LE(found, lemma * (1 + 1e-12));
      EXPECT_LT(lemma, 2);
    }
  }
}

TEST(CrowdCalibrate, NoNoiseWhereTheCrowdHidesEachUser) {
  Crowd crowd = crowd_of({{Rational(3, 10), Rational(7, 10)}}, {0, 1});
  crowd.users[0].copies = 1000;
  for (const char* noise : {"laplace", "gaussian"}) {
    const ModelPlan plan = calibrate(crowd, budget_of("1", "1e-6"), noise);
    EXPECT_TRUE(plan.noise.is_none());
    ASSERT_EQ(plan.notes.size(), 1u);
    EXPECT_EQ(plan.notes[0].find("no noise is needed: the other users'"), 0u);
    verify(plan);
  }
}

TEST(CrowdCalibrate, SaysWhenTheLatticeBetraysOne) {
  Crowd crowd = crowd_of({{1, 1}, {3, 7}}, {0, 1});
  crowd.users[1].values = {0, 2};
  crowd.users[1].copies = 2000;
  const ModelPlan plan = calibrate(crowd, budget_of("1", "1e-6"), "laplace");
  EXPECT_FALSE(plan.noise.is_none());
  ASSERT_EQ(plan.notes.size(), 1u);
  EXPECT_NE(plan.notes[0].find("multiples of 2"), std::string::npos) << plan.notes[0];
  verify(plan);
}

TEST(CrowdCalibrate, TheWorstOfManyKindsDecides) {
  std::vector<std::vector<Rational>> masses;
  for (int k = 1; k < 60; ++k) masses.push_back({Rational(k), Rational(60 - k)});
  Crowd crowd = crowd_of(masses, {0, 1});
  crowd.users[30].values = {0, 5};
  for (const char* noise : {"laplace", "gaussian"}) {
    const ModelPlan plan = calibrate(crowd, budget_of("0.5", "1e-4"), noise);
    EXPECT_EQ(plan.witness.place, "user 31");
    verify(plan);
  }
}

TEST(CrowdCalibrate, RefusesWhatDoesNotServe) {
  const Crowd crowd = crowd_of({{1, 1}}, {0, 1});
  EXPECT_THROW(calibrate(crowd, budget_of("1"), "gaussian"), Error);
  EXPECT_THROW(calibrate(crowd, budget_of("1"), "laplace", "exact"), Error);
  EXPECT_THROW(calibrate(crowd, budget_of("1", "0.1"), "laplace", "lemma2"), Error);
  EXPECT_THROW(calibrate(crowd, budget_of("1"), "nonesuch"), Error);
}

// Tiny deltas cost no accuracy: the roundings take their part from epsilon.
TEST(CrowdCalibrate, ATinyDeltaNeedsHardlyMoreThanLemma2) {
  Crowd crowd = crowd_of({{3, 7}, {1, 1}}, {0, 1});
  crowd.users[0].copies = 300;
  crowd.users[1].values = {0, 2};
  const ModelPlan plan = calibrate(crowd, budget_of("0.5", "1e-50"), "laplace");
  EXPECT_GT(plan.noise.scale->value, 3);
  EXPECT_LT(plan.noise.scale->value, 4 * (1 + 1e-9));
  verify(plan);
}

// An epsilon below the roundings' bound cannot be proved: said, not accepted.
TEST(CrowdCalibrate, AnEpsilonThatCannotBeResolvedIsAnError) {
  Crowd crowd = crowd_of({{3, 7}, {1, 1}}, {0, 1});
  crowd.users[0].copies = 3000;
  crowd.users[1].values = {0, 2};
  for (const char* noise : {"laplace", "gaussian"}) {
    try {
      calibrate(crowd, budget_of("1e-14", "1e-13"), noise);
      ADD_FAILURE();
    } catch (const Error& error) {
      EXPECT_TRUE(error.kind() == ErrorKind::kGuarantee || error.kind() == ErrorKind::kUsage);
    }
  }
}

TEST(CrowdCompare, ShowsLemma2BesideTheExactScales) {
  Crowd crowd = crowd_of({{Rational(3, 10), Rational(7, 10)}}, {0, 1});
  crowd.users[0].copies = 25;
  const auto rows = compare(crowd, budget_of("1", "1e-5"), {"laplace", "gaussian"});
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0].method, "lemma2");
  EXPECT_EQ(rows[0].scale->value, 1);
  EXPECT_LT(rows[1].scale->value, 1);
  EXPECT_EQ(rows[2].noise, "gaussian");
  EXPECT_EQ(compare(crowd, budget_of("1"), {"laplace", "gaussian"}).size(), 1u);
}

}  // namespace
}  // namespace fugu
