#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "fugu/calibrate/calibrate.h"
#include "fugu/core/error.h"
#include "fugu/mechanism/laplace.h"
#include "fugu/transport/transfer.h"
#include "fugu/verify/verify.h"
#include "tests/support/random_scenario.h"

namespace fugu {
namespace {

using testing::epsilon_of;
using testing::random_scenario;

double sharp_of(const Scenario& scenario, const char* method) {
  return calibrate(scenario, method, "laplace").noise().scale->value;
}

// Whether lambda at ideal noise of this scale is at most e^epsilon, with 512 bits.
std::optional<bool> keeps(const Scenario& scenario, const Rational& theta) {
  const Interval ratio = exp(Interval(Rational(-scenario.lattice.step / theta), 512));
  return LineTransfer(scenario).holds(ratio, exp(Interval(scenario.epsilon.value(), 512)));
}

RC_GTEST_PROP(SharpProperty, IsTheLeastScaleBetweenHarmonicAndExact, ()) {
  const Scenario scenario = random_scenario(25, 4);
  const Plan plan = calibrate(scenario, "sharp", "laplace");
  const double sharp = plan.noise().scale->value;
  RC_ASSERT(sharp >= sharp_of(scenario, "exact"));
  RC_ASSERT(sharp <= sharp_of(scenario, "harmonic"));
  RC_ASSERT(plan.influence.has_value() == (sharp > 0));
  RC_ASSERT(plan_from_json(plan_to_json(plan), "plan") == plan);
  verify(plan);
  if (sharp == 0) return;
  const Rational theta = exact(sharp);
  RC_ASSERT(keeps(scenario, Rational(theta * Rational(999999999, 1000000000))) == false);
  RC_ASSERT(keeps(scenario, Rational(theta * Rational(1000000001, 1000000000))) == true);
}

Scenario counted_scenario() {
  Scenario scenario{epsilon_of("0.5")};
  scenario.secrets = {"a", "b"};
  scenario.priors = {{"p",
                      {Distribution::from_counts({0, 1, 2, 3}, {400, 300, 200, 100}),
                       Distribution::from_counts({0, 1, 2, 3}, {250, 250, 250, 250})}}};
  return scenario;
}

TEST(Sharp, AVerifierRefusesAnInfluenceThatIsNotProved) {
  const Plan plan = calibrate(counted_scenario(), "sharp", "laplace");
  ASSERT_TRUE(plan.influence);
  EXPECT_NO_THROW(verify(plan));
  auto refused = [&](auto change) {
    Plan other = plan;
    change(other);
    try {
      verify(other);
    } catch (const Error& error) {
      return error.message();
    }
    return std::string();
  };
  EXPECT_NE(refused([](Plan& p) { *p.influence *= 0.5; }).find("influence is not that of the noise"),
            std::string::npos);
  EXPECT_NE(refused([](Plan& p) { p.influence.reset(); }).find("influence does not go"), std::string::npos);
  EXPECT_NE(refused([](Plan& p) { p.method = "exact"; }).find("influence does not go"), std::string::npos);
}

// The least noise keeps epsilon once; that it keeps it however its influence is spent is another claim.
TEST(Sharp, ALeastNoiseDoesNotPassForOneThatComposes) {
  Scenario scenario{epsilon_of("0.1")};
  scenario.secrets = {"a", "b"};
  scenario.priors = {{"p",
                      {Distribution::from_counts({0, 1, 2, 3, 4}, {3, 2, 8, 5, 1}),
                       Distribution::from_counts({0, 1, 2, 3, 4}, {1, 9, 1, 9, 3})}}};
  Plan plan = calibrate(scenario, "exact", "laplace");
  const Plan sharp = calibrate(scenario, "sharp", "laplace");
  ASSERT_GT(sharp.noise().scale->value, 1.4 * plan.noise().scale->value);
  plan.method = "sharp";
  plan.influence = influence_of(plan.noise());
  try {
    verify(plan);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(error.message().find("together do not keep epsilon"), std::string::npos) << error.message();
  }
}

TEST(Sharp, WithAConfidenceItIsBetweenTheRangeAndTheLeast) {
  Scenario scenario = counted_scenario();
  const double plain = sharp_of(scenario, "sharp");
  scenario.confidence = Rational(9, 10);
  const Plan plan = calibrate(scenario, "sharp", "laplace");
  EXPECT_NO_THROW(verify(plan));
  EXPECT_LE(plan.noise().scale->value, sharp_of(scenario, "sensitivity"));
  EXPECT_GE(plan.noise().scale->value, sharp_of(scenario, "exact"));
  EXPECT_GT(plan.noise().scale->value, plain);
  // So little is known of few people that the range is all there is.
  for (Distribution& law : scenario.priors[0].by_secret)
    law = Distribution::from_counts({0, 1, 2, 3}, {1, 1, 1, 1});
  EXPECT_EQ(sharp_of(scenario, "sharp"), sharp_of(scenario, "sensitivity"));
}

TEST(Sharp, IsForLaplaceNoiseAndPureEpsilon) {
  Scenario scenario = counted_scenario();
  EXPECT_THROW(calibrate(scenario, "sharp", "gaussian"), Error);
  EXPECT_THROW(calibrate(scenario, "sharp", "power:0.5"), Error);
  scenario.delta = Delta::parse("0.001", "test", ErrorKind::kData);
  try {
    calibrate(scenario, "sharp", "laplace");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), "--method: sharp promises pure epsilon, without a delta");
  }
}

}  // namespace
}  // namespace fugu
