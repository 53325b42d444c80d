// The worked example of docs/noise.md: compiled, calibrated by every method, and proved.
#include <gtest/gtest.h>

#include "examples/arsinh_noise.h"
#include "fugu/calibrate/calibrate.h"
#include "fugu/calibrate/methods.h"
#include "fugu/verify/verify.h"
#include "tests/support/brute_force.h"
#include "tests/support/random_scenario.h"

namespace fugu {
namespace {

TEST(NoiseExample, EveryMethodServesIt) {
  const examples::ArsinhNoise family{Rational(5)};
  Scenario scenario{testing::epsilon_of("1")};
  scenario.secrets = {"A", "B"};
  scenario.priors.push_back(
      {"p",
       {Distribution::from_counts({1, 2, 3}, {5, 3, 2}), Distribution::from_counts({1, 2, 4}, {2, 3, 5})}});
  double last = HUGE_VAL;
  for (const Method& method : methods_for(family)) {
    const Plan plan = calibrate(scenario, method.name, family);
    EXPECT_LE(plan.noise().scale->value, last * (1 + 1e-9)) << method.name;
    last = plan.noise().scale->value;
    EXPECT_EQ(plan.noise().family, "arsinh:5");
    EXPECT_TRUE(prove(scenario, plan.noise()).holds) << method.name;
    EXPECT_LE(testing::brute_ratio(scenario.priors[0], scenario.pairs, plan.noise()),
              testing::exp_bounds(Rational(1)).high);
  }
}

}  // namespace
}  // namespace fugu
