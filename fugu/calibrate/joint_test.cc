#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "fugu/calibrate/calibrate.h"
#include "fugu/calibrate/grid_loss.h"
#include "fugu/mechanism/joint_laplace.h"
#include "fugu/scenario/columns.h"
#include "fugu/verify/verify.h"
#include "tests/support/exp_bounds.h"
#include "tests/support/random_joint.h"

namespace fugu {
namespace {

using testing::joint_scenario;
using testing::JointCounts;

const JointNoise& noise_of(const Plan& plan) { return std::get<JointNoise>(plan.mechanism); }
double scale_of(const Plan& plan) { return noise_of(plan).scale.value; }

// Each method needs no more than the one before, each plan verifies after a round trip through its file, and
// the exact scale is the least: the promise breaks a little below.
RC_GTEST_PROP(JointCalibrateProperty, MethodsShrinkAndTheExactIsLeast, ()) {
  const Scenario scenario = testing::random_joint_scenario(*rc::gen::inRange<size_t>(2, 4), 5, 7);
  double last = HUGE_VAL;
  for (const char* method : {"sensitivity", "kantorovich", "exact"}) {
    const Plan plan = calibrate(scenario, method, "laplace");
    RC_ASSERT(scale_of(plan) <= last * (1 + 1e-9));
    last = scale_of(plan);
    const Plan read = plan_from_json(parse_json(plan_to_json(plan).pretty(), "plan"), "plan");
    RC_ASSERT(read == plan);
    RC_ASSERT(verify(read) == plan.witness);
  }
  if (last == 0) return;
  std::vector<Lattice> lattices;
  std::vector<Rational> weights;
  for (const Axis& axis : scenario.axes) {
    lattices.push_back(axis.lattice);
    weights.push_back(axis.weight);
  }
  RC_ASSERT(!prove(scenario, joint_laplace(Scale{last * (1 - 1e-11)}, lattices, weights)).holds);
  RC_ASSERT(std::fabs(GridLoss(scenario).at(Scale{last}) - static_cast<double>(scenario.epsilon.value())) <
            1e-9 * (1 + static_cast<double>(scenario.epsilon.value())));
}

// By definition, with the integers that would be drawn, at every output of a box.
RC_GTEST_PROP(JointCalibrateProperty, TheDrawnNoiseKeepsThePromiseByBruteForce, ()) {
  const Scenario scenario = testing::random_joint_scenario(2, 3, 4, 3);
  const Plan plan = calibrate(scenario, "exact", "laplace");
  const auto brute = testing::brute_joint(scenario, noise_of(plan), 2);
  RC_ASSERT(!brute.infinite);
  RC_ASSERT(brute.ratio <= testing::exp_bounds(scenario.epsilon.value()).high);
}

// Twice every weight is half the scale and the same noise; twice the values are twice the scale.
RC_GTEST_PROP(JointCalibrateProperty, WeightsAndValuesScale, ()) {
  const Scenario scenario = testing::random_joint_scenario(2, 5, 7);
  const Plan plan = calibrate(scenario, "exact", "laplace");
  Scenario heavier = scenario, wider = scenario;
  for (Axis& axis : heavier.axes) axis.weight *= 2;
  for (Axis& axis : wider.axes) axis.lattice.step *= 2;
  const Plan other = calibrate(heavier, "exact", "laplace");
  RC_ASSERT(scale_of(other) == scale_of(plan) / 2);
  RC_ASSERT(noise_of(other).columns == noise_of(plan).columns);
  RC_ASSERT(calibrate(wider, "sensitivity", "laplace").sensitivity.range ==
            calibrate(scenario, "sensitivity", "laplace").sensitivity.range * 2);
  RC_ASSERT(std::fabs(scale_of(calibrate(wider, "exact", "laplace")) - 2 * scale_of(plan)) <=
            1e-9 * scale_of(plan));
}

Scenario two_points(const Point& a, const Point& b, const char* epsilon) {
  Scenario scenario = joint_scenario({{JointCounts{{a, 1}}, JointCounts{{b, 1}}}}, a.size());
  scenario.epsilon = testing::epsilon_of(epsilon);
  return scenario;
}

// One value for each secret: every method needs the weighted distance over epsilon.
TEST(JointCalibrate, PointMassesNeedTheWeightedDistance) {
  Scenario scenario = two_points({0, 0}, {6, 8}, "0.5");
  scenario.axes[0].weight = 3;
  scenario.axes[1].weight = 4;
  for (const char* method : {"sensitivity", "kantorovich", "exact"}) {
    const Plan plan = calibrate(scenario, method, "laplace");
    EXPECT_NEAR(scale_of(plan), 8, 1e-9) << method;  // (6/3 + 8/4) / 0.5
    EXPECT_NEAR(noise_of(plan).columns[0].scale->value, 24, 1e-8);
    EXPECT_NEAR(noise_of(plan).columns[1].scale->value, 32, 1e-8);
    const auto errors = column_errors(scenario, noise_of(plan));
    EXPECT_NEAR(plan.mse, errors[0] + errors[1], 1e-9);
  }
}

// docs/math.md, section 10: neither column needs noise by itself, both together do.
TEST(JointCalibrate, XorNeedsNoiseOnlyTogether) {
  Scenario scenario =
      joint_scenario({{JointCounts{{{0, 0}, 1}, {{1, 1}, 1}}, JointCounts{{{1, 0}, 1}, {{0, 1}, 1}}}}, 2);
  for (size_t c : {0U, 1U}) EXPECT_TRUE(calibrate(scenario.column(c), "exact", "laplace").noise().is_none());
  const Plan plan = calibrate(scenario, "exact", "laplace");
  const double r = std::exp(-1 / scale_of(plan));
  EXPECT_NEAR(std::log((1 + r * r) / (2 * r)), 0.5, 1e-9);
}

TEST(JointCalibrate, NoNoiseWhereTheColumnsAlreadyKeepIt) {
  const Scenario scenario = joint_scenario({{JointCounts{{{0, 0}, 10}, {{1, 5}, 11}},  //
                                             JointCounts{{{0, 0}, 11}, {{1, 5}, 10}}}},
                                           2);
  const Plan plan = calibrate(scenario, "exact", "laplace");
  EXPECT_TRUE(noise_of(plan).is_none());
  EXPECT_EQ(plan.mse, 0);
  EXPECT_EQ(plan.notes.back(), "no noise is needed: the columns keep the promise as they are");
  EXPECT_EQ(verify(plan), plan.witness);
}

std::string message_of(const Scenario& scenario, const char* method, const char* noise) {
  try {
    calibrate(scenario, method, noise);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    return error.message();
  }
  return "no error";
}

TEST(JointCalibrate, RefusesWhatIsForOneColumn) {
  Scenario scenario = two_points({0, 0}, {6, 8}, "0.5");
  EXPECT_EQ(message_of(scenario, "exact", "gaussian"), "--noise: gaussian noise is for one column");
  EXPECT_EQ(message_of(scenario, "harmonic", "laplace"), "--method: harmonic is for one column");
  EXPECT_EQ(message_of(scenario, "channel", "laplace"), "--method: channel is for one column");
  scenario.delta = Delta::parse("1e-3", "test", ErrorKind::kData);
  EXPECT_EQ(message_of(scenario, "exact", "laplace"), "--delta: this works with one released column only");
  scenario.delta = {};
  EXPECT_EQ(compare(scenario, {"laplace"}).size(), 3U);
  ASSERT_EQ(compare_optima(scenario).size(), 1U);
  EXPECT_EQ(compare_optima(scenario).front().method, "swap");
}

TEST(JointCalibrate, TheVerifierRefusesOtherNumbers) {
  const Scenario scenario = two_points({0, 0}, {6, 8}, "0.5");
  const Plan plan = calibrate(scenario, "exact", "laplace");
  auto refused = [](const Plan& changed) {
    try {
      verify(changed);
    } catch (const Error& error) {
      return error.message();
    }
    return std::string("no error");
  };
  Plan other = plan;
  std::get<JointNoise>(other.mechanism).scale.value *= 2;
  EXPECT_EQ(refused(other), "the plan does not verify: the scale is not that of the noise");
  other = plan;
  std::get<JointNoise>(other.mechanism).columns[1].tail.numerator -= 1;
  EXPECT_NE(refused(other), "no error");
  other = plan;
  other.scenario.axes[1].weight = 2;
  EXPECT_NE(refused(other), "no error");
  other = plan;
  other.witness.point[0] += 1;
  EXPECT_EQ(refused(other), "the plan does not verify: the witness is not where the loss is largest");
  other = plan;
  other.sensitivity.range += 1;
  EXPECT_EQ(refused(other), "the plan does not verify: the sensitivity is not that of the scenario");
}

}  // namespace
}  // namespace fugu
