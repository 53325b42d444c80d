// Calibration where masses are known within a relative error: a little more noise, never an error.
#include <gtest/gtest.h>

#include "fugu/calibrate/calibrate.h"
#include "fugu/verify/verify.h"
#include "tests/support/blurred.h"
#include "tests/support/random_scenario.h"

namespace fugu {
namespace {

Scenario two_secrets(const std::string& epsilon) {
  Scenario scenario{testing::epsilon_of(epsilon)};
  scenario.secrets = {"A", "B"};
  scenario.priors.push_back({"p",
                             {Distribution::from_counts({0, 1, 2, 3}, {5, 3, 1, 1}),
                              Distribution::from_counts({0, 1, 2, 3}, {2, 3, 2, 3})}});
  return scenario;
}

Scenario with_blur(Scenario scenario) {
  for (Distribution& law : scenario.priors[0].by_secret)
    law = testing::blurred(law, Rational(1, Integer(1) << 100));
  return scenario;
}

TEST(BlurredCalibration, EveryMethodIsProvedAndNeedsLittleMore) {
  for (const char* delta : {"0", "0.01"}) {
    Scenario exact = two_secrets("0.25");
    exact.delta = Delta::parse(delta, "test", ErrorKind::kData);
    const Scenario blurred = with_blur(exact);
    for (const char* method :
         {"sensitivity", "kantorovich", "relaxed", "harmonic", "exact", "optimal", "channel"}) {
      const Plan with = calibrate(blurred, method, "laplace"), without = calibrate(exact, method, "laplace");
      EXPECT_EQ(verify(with), with.witness) << method;
      EXPECT_GE(with.mse, without.mse * (1 - 1e-6)) << method;
      EXPECT_LE(with.mse, without.mse * (1 + 1e-6)) << method;
    }
  }
}

// One value for certain against another for certain: Theorem 1 is tight, epsilon is attained with equality.
TEST(BlurredCalibration, ATieIsWidened) {
  Scenario scenario{testing::epsilon_of("1")};
  scenario.secrets = {"A", "B"};
  const auto zero = Distribution::from_counts({0, 1}, {1, 1}),
             one = Distribution::from_counts({4, 5}, {1, 1});
  scenario.priors.push_back({"p", {zero, one}});
  const double tied = calibrate(scenario, "kantorovich", "laplace").noise().scale->value;
  const double widened = calibrate(with_blur(scenario), "kantorovich", "laplace").noise().scale->value;
  EXPECT_GE(widened, tied);
  EXPECT_LE(widened, tied * (1 + 1e-9));
}

// Each secret weighs the same, whatever the integers behind it.
TEST(BlurredCalibration, APopulationOfModelsWeighsSecretsAlike) {
  Scenario scenario = two_secrets("1");
  scenario.priors[0].by_secret[1] = Distribution::from_counts({0, 3}, {1, 1});
  const auto counts = with_blur(scenario).population({0, 1, 2, 3});
  EXPECT_EQ(Rational(counts[0], counts[3]), Rational(10, 6));
  EXPECT_EQ(Rational(counts[1], counts[2]), 3);
}

}  // namespace
}  // namespace fugu
