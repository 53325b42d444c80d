// What each output gives away, against the definition.
#include "fugu/report/picture.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>

#include "fugu/calibrate/calibrate.h"
#include "tests/support/brute_force.h"
#include "tests/support/pictures.h"

namespace fugu {
namespace {

using namespace fugu::testing;

// By definition, in rationals: the largest ratio over priors and pairs at one output.
template <class Mass>
Rational brute_worst(const Scenario& scenario, const Mass& mass) {
  Rational worst(1);
  for (const Prior& prior : scenario.priors) {
    for (auto [a, b] : scenario.pairs.list(scenario.secrets.size())) {
      const Rational p = mass(prior.by_secret[a]), q = mass(prior.by_secret[b]);
      if (p == q) continue;
      worst = std::max({worst, Rational(p / q), Rational(q / p)});
    }
  }
  return worst;
}

Rational noisy_mass(const Distribution& law, const Noise& noise, int64_t y) {
  Rational sum(0);
  for (size_t k = 0; k < law.size(); ++k) sum += law.mass(k) * weight_at(noise, y - law.atoms()[k]);
  return sum;
}

Rational channel_mass(const Distribution& law, const Channel& channel, size_t output) {
  Rational sum(0);
  for (size_t k = 0; k < law.size(); ++k) {
    const auto input = static_cast<size_t>(
        std::find(channel.inputs.begin(), channel.inputs.end(), law.atoms()[k]) - channel.inputs.begin());
    sum += law.mass(k) * Rational(channel.weights[input][output], channel.row_total(input));
  }
  return sum;
}

// The stated bound is not below the truth, and hardly above.
void expect_bound(double stated, const Rational& ratio) {
  const double truth = std::log(static_cast<double>(ratio));
  EXPECT_GE(stated, truth - 1e-14);
  EXPECT_LE(stated, truth + 1e-9);
}

int64_t index_of_output(const Scenario& scenario, const Json& row) {
  return static_cast<int64_t>(
      std::llround((number(row, "output") - static_cast<double>(scenario.lattice.origin)) /
                   static_cast<double>(scenario.lattice.step)));
}

double largest_loss(const Json::Array& rows) {
  double largest = 0;
  for (const Json& row : rows) largest = std::max(largest, number(row, "loss"));
  return largest;
}

// Every output's loss against the definition, in exact rationals.
RC_GTEST_PROP(LossPictureProperty, IsThatOfTheDefinition, ()) {
  const Scenario scenario = random_scenario(10, 4);
  const Plan plan = calibrate(scenario, "exact", "laplace");
  const Json picture = loss_picture(plan);
  const auto& rows = first_outputs(picture);
  RC_ASSERT(text(picture, "kind") == "loss");
  for (const Json& row : rows) {
    const int64_t y = index_of_output(scenario, row);
    const Rational ratio =
        brute_worst(scenario, [&](const Distribution& law) { return noisy_mass(law, plan.noise(), y); });
    const double stated = number(row, "loss"), truth = std::log(static_cast<double>(ratio));
    RC_ASSERT(stated >= truth - 1e-14);
    RC_ASSERT(stated <= truth + 1e-9);
    RC_ASSERT(stated <= static_cast<double>(scenario.epsilon.value()) * (1 + 1e-15));
  }
  RC_ASSERT(largest_loss(rows) == *plan.witness.loss);
}

TEST(LossPicture, EveryOutputAndThePairThatHasIt) {
  const Scenario scenario = golden_scenario("ex1", "0.5");
  const Plan plan = calibrate(scenario, "exact", "laplace");
  const Json picture = loss_picture(plan);
  const auto& rows = first_outputs(picture);
  ASSERT_EQ(rows.size(), 4U);
  for (const Json& row : rows) {
    const int64_t y = index_of_output(scenario, row);
    auto mass = [&](const std::string& secret) {
      return noisy_mass(scenario.priors[0].by_secret[secret == "si" ? 0 : 1], plan.noise(), y);
    };
    const auto& pair = items(row, "pair");
    expect_bound(number(row, "loss"), Rational(mass(*pair[0].if_string()) / mass(*pair[1].if_string())));
  }
  EXPECT_EQ(number(picture, "epsilon"), 0.5);
  EXPECT_EQ(number(member(picture, "witness"), "loss"), *plan.witness.loss);
}

TEST(LossPicture, OfAChannel) {
  const Scenario scenario = golden_scenario("ex1", "0.3");
  const Plan plan = calibrate(scenario, "channel", "laplace");
  const Channel& channel = std::get<Channel>(plan.mechanism);
  const Json picture = loss_picture(plan);
  const auto& rows = first_outputs(picture);
  ASSERT_EQ(rows.size(), channel.outputs.size());
  for (size_t k = 0; k < rows.size(); ++k) {
    expect_bound(number(rows[k], "loss"), brute_worst(scenario, [&](const Distribution& law) {
                   return channel_mass(law, channel, k);
                 }));
  }
  EXPECT_EQ(largest_loss(rows), *plan.witness.loss);
}

TEST(LossPicture, HeldValuesAreTheCategoriesAndNoOthers) {
  const Plan plan = calibrate(jobs("0.1"), "exact", "power:0.5");  // its table reaches beyond the categories
  ASSERT_GT(plan.noise().reach(), 0);
  const Json picture = loss_picture(plan);
  const auto& rows = first_outputs(picture);
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_EQ(text(rows[2], "label"), "judge");
  EXPECT_EQ(largest_loss(rows), *plan.witness.loss);
  EXPECT_FALSE(*member(items(picture, "columns")[0], "constant_beyond").if_boolean());
}

TEST(LossPicture, WithConfidenceTheWorstIsTheWitness) {
  Scenario scenario = jobs();
  scenario.confidence = Rational(95, 100);
  const Plan plan = calibrate(scenario, "exact", "laplace");
  const Json picture = loss_picture(plan);
  EXPECT_EQ(largest_loss(first_outputs(picture)), *plan.witness.loss);
  // The same noise without a confidence says less of itself.
  Plan taken = plan;
  taken.scenario.confidence.reset();
  EXPECT_LT(largest_loss(first_outputs(loss_picture(taken))), *plan.witness.loss);
}

TEST(LossPicture, OfSeveralColumnsTheWorstOfEach) {
  const Scenario scenario = scenario_from_json(parse_json(R"({
    "epsilon": 1,
    "priors": [{"given": {
      "a": {"values": [[0, 1], [1, 3], [2, 1]], "mass": [3, 2, 1]},
      "b": {"values": [[0, 1], [1, 3], [2, 4]], "mass": [1, 2, 3]}}}]})",
                                                          "test"),
                                               "test", {});
  ASSERT_TRUE(scenario.is_joint());
  const Plan plan = calibrate(scenario, "exact", "laplace");
  const Json picture = loss_picture(plan);
  ASSERT_EQ(items(picture, "columns").size(), 2U);
  for (const Json& column : items(picture, "columns"))
    EXPECT_EQ(largest_loss(items(column, "outputs")), *plan.witness.loss);
  EXPECT_TRUE(member(transport_picture(scenario), "cells").is_null());
  EXPECT_EQ(items(laws_picture(scenario), "columns").size(), 2U);
}

TEST(LossPicture, WithDeltaWhatEachOutputAdds) {
  const Scenario scenario = golden_scenario("ex1", "0.5", "1e-5");
  const Plan plan = calibrate(scenario, "exact", "gaussian");
  const Json picture = loss_picture(plan);
  EXPECT_EQ(text(picture, "kind"), "excess");
  const auto& pair = plan.witness.pair;
  const size_t first = pair.first == "si" ? 0 : 1;
  const Rational growth = exact(std::exp(0.5)), total = total_weight(plan.noise());
  const auto& rows = first_outputs(picture);
  double sum = 0;
  for (const Json& row : rows) {
    const int64_t y = index_of_output(scenario, row);
    auto mass = [&](size_t secret) {
      return Rational(noisy_mass(scenario.priors[0].by_secret[secret], plan.noise(), y) / total);
    };
    const Rational excess = mass(first) - growth * mass(1 - first);
    const double truth = excess > 0 ? static_cast<double>(excess) : 0;
    sum += number(row, "excess");
    if (&row == &rows.front() || &row == &rows.back()) continue;  // these hold the tails too
    EXPECT_NEAR(number(row, "excess"), truth, 1e-15);
  }
  EXPECT_NEAR(sum, *plan.witness.delta, 1e-12);
  EXPECT_NEAR(number(picture, "total"), *plan.witness.delta, 1e-15);
  EXPECT_LE(number(picture, "total"), 1e-5);
}

}  // namespace
}  // namespace fugu
