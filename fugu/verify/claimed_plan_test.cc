// The proof's own reader of plans sees what the other reader sees, and what is changed between them is found.
#include "fugu/proof/claimed_plan.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "fugu/core/error.h"
#include "fugu/mechanism/family.h"
#include "fugu/mechanism/joint_laplace.h"
#include "fugu/scenario/domain.h"
#include "fugu/verify/verify.h"
#include "tests/support/random_joint.h"
#include "tests/support/random_scenario.h"

namespace fugu {
namespace {

// Every fact is right; whether the promise holds is another matter.
Plan plan_with_facts(const Scenario& scenario, Mechanism mechanism) {
  Plan plan{scenario, "kantorovich", std::move(mechanism), 0, {}, {}, {}, {}, {}};
  plan.mse = mean_square_error(scenario, plan.mechanism);
  plan.sensitivity = measure_sensitivity(scenario);
  plan.witness = prove(scenario, plan.mechanism).witness;
  plan.assumptions = assumptions_of(scenario);
  return plan;
}

Mechanism wide_noise(const Scenario& scenario) {
  if (!scenario.is_joint())
    return family_named("laplace")->at(Scale{30 * static_cast<double>(scenario.lattice.step)},
                                       scenario.lattice, 0);
  std::vector<Lattice> lattices;
  std::vector<Rational> weights;
  for (const Axis& axis : scenario.axes) {
    lattices.push_back(axis.lattice);
    weights.push_back(axis.weight);
  }
  return joint_laplace(Scale{30}, lattices, weights);
}

void expect_same_reading(const Scenario& scenario) {
  const Plan plan = plan_with_facts(scenario, wide_noise(scenario));
  const Json file = plan_to_json(plan);
  const Plan again = plan_from_json(file, "plan");
  const auto claimed = read_claim(file, "plan");
  RC_ASSERT(claimed.has_value());
  RC_ASSERT(same_claim(claimed->claim, again.scenario));
  RC_ASSERT(claimed->mechanism == again.mechanism);
  const Proof own = prove(claimed->claim, claimed->boxed, claimed->mechanism);
  const Proof other = prove(again.scenario, again.mechanism);
  RC_ASSERT(own.holds == other.holds);
  RC_ASSERT(own.witness == other.witness);
}

RC_GTEST_PROP(ClaimedPlanProperty, BothReadersSeeOneClaim, ()) {
  Scenario scenario = testing::random_scenario(12, 4);
  if (*rc::gen::inRange(0, 3) == 0)
    scenario.promise({scenario.epsilon, Delta::parse("0.01", "test", ErrorKind::kBug)}, Rational(0));
  if (*rc::gen::inRange(0, 3) == 0 && scenario.epsilon.value() > Rational(1, 5))
    scenario.promise({scenario.epsilon, scenario.delta}, Rational(1, 20));
  expect_same_reading(scenario);
}

RC_GTEST_PROP(ClaimedPlanProperty, OfSeveralColumnsToo, ()) {
  expect_same_reading(testing::random_joint_scenario(2, 5, 4, 9));
}

RC_GTEST_PROP(ClaimedPlanProperty, WithAConfidenceToo, ()) {
  Scenario scenario = testing::random_scenario(8, 3);
  scenario.confidence = Rational(9, 10);
  expect_same_reading(scenario);
}

Scenario small() {
  Scenario scenario{testing::epsilon_of("1")};
  scenario.secrets = {"a", "b"};
  scenario.priors = {
      {"p", {Distribution::from_counts({0, 1}, {3, 1}), Distribution::from_counts({0, 1}, {2, 2})}}};
  return scenario;
}

std::string message_of(const Plan& plan, const Json& file) {
  try {
    verify(plan, file, "plan");
  } catch (const Error& error) {
    return error.message();
  }
  return "verified";
}

// The plan in memory and the file on the disk are two claims: neither is proved in the other's name.
TEST(ClaimedPlan, AnotherFileIsRefused) {
  const Plan plan = plan_with_facts(small(), wide_noise(small()));
  EXPECT_EQ(message_of(plan, plan_to_json(plan)), "verified");
  Scenario other = small();
  other.priors.front().by_secret[0] = Distribution::from_counts({0, 1}, {30, 1});
  const char* kTwoWays = "the plan does not verify: it is read in two ways";
  EXPECT_EQ(message_of(plan, plan_to_json(plan_with_facts(other, wide_noise(other)))), kTwoWays);
  other = small();
  other.epsilon = testing::epsilon_of("2");
  EXPECT_EQ(message_of(plan, plan_to_json(plan_with_facts(other, wide_noise(other)))), kTwoWays);
  EXPECT_EQ(message_of(plan, plan_to_json(plan_with_facts(small(), no_noise("laplace")))), kTwoWays);
  other = small();
  other.pairs = PairSet::of({{0, 1}});
  EXPECT_EQ(message_of(plan, plan_to_json(plan_with_facts(other, wide_noise(other)))), kTwoWays);
}

// What is read and does not hold is refused, whatever the plan says.
TEST(ClaimedPlan, WhatDoesNotHoldIsRefused) {
  Scenario scenario = small();
  scenario.epsilon = testing::epsilon_of("0.01");
  const Plan plan = plan_with_facts(scenario, no_noise("laplace"));
  EXPECT_NE(message_of(plan, plan_to_json(plan)).find("more than epsilon 0.01"), std::string::npos);
}

}  // namespace
}  // namespace fugu
