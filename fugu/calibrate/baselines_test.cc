// What hides the value itself: known answers, and what is drawn against e^epsilon in exact arithmetic.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "fugu/calibrate/calibrate.h"
#include "fugu/scenario/scenario_json.h"
#include "fugu/verify/verify.h"
#include "tests/support/exp_bounds.h"
#include "tests/support/random_scenario.h"

namespace fugu {
namespace {

using testing::exp_bounds;
using testing::random_scenario;

Scenario scenario_of(const std::string& text) { return scenario_from_json(parse_json(text, "test"), "test"); }

Scenario two_values(const std::string& more = "") {
  return scenario_of(R"({"epsilon": 1, )" + more + R"("priors": [{"name": "p", "given": {
      "a": {"values": [1, 2], "mass": [1, 3]}, "b": {"values": [1, 2], "mass": [3, 1]}}}]})");
}

// The first and the last value that the priors know.
int64_t range_of(const Scenario& scenario) {
  const auto [low, high] = scenario.bounds();
  return high - low;
}

TEST(Baselines, TwoValuesByHand) {
  const Scenario scenario = two_values();
  const Plan laplace = calibrate(scenario, "dp-laplace", "laplace");
  EXPECT_EQ(laplace.noise().scale->value, 1);
  EXPECT_LT(*laplace.witness.loss, 0.5);  // of the secret; of the value it is 1

  const Plan response = calibrate(scenario, "randomized-response", "laplace");
  const double keep = std::exp(1) / (std::exp(1) + 1);
  EXPECT_NEAR(response.mse, 1 - keep, 1e-15);
  EXPECT_NEAR(*response.witness.loss, std::log((1 + 2 * keep) / (3 - 2 * keep)), 1e-15);
  EXPECT_FALSE(response.objective.has_value());
}

TEST(Baselines, EveryCategoryCountsWhetherOrNotItWasSeen) {
  Scenario scenario = two_values();
  scenario.source = Source{.secret = {"s"}, .published = {"x"}};
  scenario.source->columns[0].labels = {"A", "B", "C", "D", "E"};
  EXPECT_EQ(calibrate(scenario, "dp-laplace", "laplace").noise().scale->value, 4);
  const Plan plan = calibrate(scenario, "randomized-response", "laplace");
  const Channel& channel = std::get<Channel>(plan.mechanism);
  ASSERT_EQ(channel.inputs, (std::vector<int64_t>{1, 2, 3, 4, 5}));
  EXPECT_EQ(channel.outputs, channel.inputs);
  const double keep = std::exp(1) / (std::exp(1) + 4);
  EXPECT_NEAR(static_cast<double>(channel.weights[2][2]) / static_cast<double>(channel.row_total(2)), keep,
              1e-15);
}

TEST(Baselines, OneValueNeedsNothing) {
  const Scenario scenario = scenario_of(R"({"epsilon": 1, "priors": [{"name": "p", "given": {
      "a": {"values": [7], "mass": [1]}, "b": {"values": [7], "mass": [1]}}}]})");
  for (const char* method : {"dp-laplace", "randomized-response"})
    EXPECT_TRUE(changes_nothing(calibrate(scenario, method, "laplace").mechanism)) << method;
}

TEST(Baselines, VeryLargeAndVerySmallEpsilons) {
  for (const char* epsilon : {"1e-15", "95", "100"}) {
    Scenario scenario = two_values();
    scenario.epsilon = testing::epsilon_of(epsilon);
    const Plan plan = calibrate(scenario, "randomized-response", "laplace");
    EXPECT_EQ(verify(plan), plan.witness) << epsilon;
  }
}

TEST(Baselines, TooManyValuesForATableSaySo) {
  std::vector<int64_t> values;
  std::vector<uint64_t> counts;
  for (int64_t k = 0; k <= 1000; ++k) {
    values.push_back(k);
    counts.push_back(1);
  }
  Scenario scenario = two_values();
  scenario.priors[0].by_secret[0] = Distribution::from_counts(values, counts);
  const auto rows = compare_baselines(scenario, {"laplace"});
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_TRUE(rows[0].mse.has_value());
  EXPECT_FALSE(rows[1].mse.has_value());
  EXPECT_NE(rows[1].note.find("1001 values"), std::string::npos);
}

TEST(Baselines, StandLastAndLaplaceOnlyWhereItIsNamed) {
  auto names = [](const std::vector<Candidate>& rows) {
    std::vector<std::string> result;
    for (const Candidate& row : rows) {
      if (row.baseline) result.push_back(row.method);
    }
    return result;
  };
  const Scenario scenario = two_values(R"("delta": 0.001, )");
  const auto all = compare_all(scenario, {"laplace", "gaussian"});
  EXPECT_EQ(names(all), (std::vector<std::string>{"dp-laplace", "randomized-response"}));
  EXPECT_EQ(all.back().method, "randomized-response");
  EXPECT_EQ(names(compare_all(scenario, {"gaussian"})), (std::vector<std::string>{"randomized-response"}));
  for (const Candidate& row : all) EXPECT_LE(*row.delta, 0.001) << row.method;
}

TEST(Baselines, ServeEveryLawThatTheCountsAllow) {
  Scenario scenario = two_values();
  scenario.confidence = Rational(9, 10);
  for (const char* method : {"dp-laplace", "randomized-response"}) {
    const Plan plan = calibrate(scenario, method, "laplace");
    EXPECT_LE(*plan.witness.loss, 1) << method;
    scenario.confidence.reset();
    EXPECT_EQ(plan.mechanism, calibrate(scenario, method, "laplace").mechanism) << method;
    scenario.confidence = Rational(9, 10);
  }
}

TEST(Baselines, AnObjectiveDoesNotGoWithThem) {
  Plan plan = calibrate(two_values(), "randomized-response", "laplace");
  plan.objective = {{}, plan.mse};
  EXPECT_THROW(verify(plan), Error);
  plan.objective.reset();
  EXPECT_EQ(verify(plan), plan.witness);
  plan.method = "dp-laplace";  // a channel has no scale
  EXPECT_THROW(verify(plan), Error);
}

// No row of the drawn integers is more than e^epsilon times another, and one less would be.
RC_GTEST_PROP(BaselinesProperty, RandomizedResponseAttainsEpsilon, ()) {
  const Scenario scenario = random_scenario(12, 4);
  const Plan plan = calibrate(scenario, "randomized-response", "laplace");
  RC_ASSERT(plan_from_json(parse_json(plan_to_json(plan).pretty(), "plan"), "plan") == plan);
  RC_ASSERT(verify(plan) == plan.witness);
  const Channel& channel = std::get<Channel>(plan.mechanism);
  if (channel.inputs.size() == 1) return;
  const auto limit = exp_bounds(scenario.epsilon.value(), 400);
  for (size_t i = 0; i < channel.inputs.size(); ++i) {
    RC_ASSERT(channel.row_total(i) == channel.row_total(0));
    for (size_t j = 0; j < channel.inputs.size(); ++j) {
      for (size_t k = 0; k < channel.outputs.size(); ++k) {
        const Rational ratio(channel.weights[i][k], channel.weights[j][k]);
        RC_ASSERT(ratio <= limit.low);
        if (i == k && j != k)
          RC_ASSERT(Rational(channel.weights[i][k], channel.weights[j][k] - 1) > limit.high);
      }
    }
  }
}

// The scale is range / epsilon, never less than that of any other method, and the drawn tail keeps e^epsilon
// between the outermost values.
RC_GTEST_PROP(BaselinesProperty, LaplaceOfTheWholeRange, ()) {
  const Scenario scenario = random_scenario(20, 4);
  const Plan plan = calibrate(scenario, "dp-laplace", "laplace");
  RC_ASSERT(verify(plan) == plan.witness);
  const int64_t range = range_of(scenario);
  const Rational wanted = scenario.lattice.step * range / scenario.epsilon.value();
  RC_ASSERT(plan.noise().scale->value == round_up(wanted));
  for (const Candidate& other : compare(scenario, {"laplace"}))
    RC_ASSERT(other.scale->value <= plan.noise().scale->value);
  if (range == 0) return;
  Rational kept(1);
  for (int64_t k = 0; k < range; ++k) kept *= plan.noise().tail.value();
  RC_ASSERT(kept >= exp_bounds(Rational(-scenario.epsilon.value()), 400).low);
}

}  // namespace
}  // namespace fugu
