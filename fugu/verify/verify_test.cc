#include "fugu/verify/verify.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>

#include "fugu/mechanism/family.h"
#include "fugu/transport/coupling.h"
#include "tests/support/brute_force.h"
#include "tests/support/random_scenario.h"

namespace fugu {
namespace {

using testing::BruteLoss;
using testing::random_scenario;

// A noise of the general shape: random weights in the middle, both tails geometric (or none).
Noise random_noise() {
  Noise noise;
  noise.family = "test";
  noise.weights.clear();
  const auto reach = *rc::gen::inRange<size_t>(0, 5);
  for (size_t k = 0; k < 2 * reach + 1; ++k) {
    const bool must = k == 0 || k == reach || k == 2 * reach;
    noise.weights.emplace_back(*rc::gen::inRange(must ? 1 : 0, 20));
  }
  noise.tail = {Integer(*rc::gen::inRange(0, 8)), 3};
  return noise;
}

// Its weights as integers at every z within `far`.
auto integer_weights(const Noise& noise, int64_t far) {
  std::vector<Integer> weights;
  const int64_t reach = noise.reach();
  const auto scale = static_cast<unsigned>(noise.tail.bits * static_cast<uint64_t>(far));
  for (int64_t z = -far; z <= far; ++z) {
    Integer weight;
    if (std::llabs(z) <= reach) {
      weight = noise.weights[static_cast<size_t>(z + reach)] << scale;
    } else {
      auto beyond = static_cast<unsigned>(std::llabs(z) - reach);
      weight = (z < 0 ? noise.weights.front() : noise.weights.back()) * pow(noise.tail.numerator, beyond);
      weight <<= scale - static_cast<unsigned>(noise.tail.bits) * beyond;
    }
    weights.push_back(weight);
  }
  return [weights = std::move(weights), far](int64_t z) { return weights[static_cast<size_t>(z + far)]; };
}

// The verifier looks at few outputs; brute force looks at all of them, well beyond the atoms.
RC_GTEST_PROP(LossProperty, EqualsBruteForceForTheGeneralShape, ()) {
  Scenario scenario = random_scenario(8, 4);
  Noise noise = random_noise();
  int64_t low = INT64_MAX, high = INT64_MIN;
  for (const Prior& prior : scenario.priors) {
    low = std::min(low, union_support(prior.by_secret).front());
    high = std::max(high, union_support(prior.by_secret).back());
  }
  const int64_t margin = noise.reach() + 4;
  const BruteLoss brute =
      testing::brute_loss(scenario, margin, integer_weights(noise, 2 * (high - low + margin)));
  const Proof proof = prove(scenario, noise);
  RC_ASSERT(proof.infinite == brute.infinite);
  if (brute.infinite) {
    RC_ASSERT(!proof.holds);
    return;
  }
  const auto limit = testing::exp_bounds(scenario.epsilon.value());
  RC_ASSERT(proof.holds == (brute.ratio <= limit.low));
  const double loss = log(Interval(brute.ratio, 200)).upper();
  RC_ASSERT(*proof.witness.loss >= loss);
  RC_ASSERT(*proof.witness.loss <= loss * (1 + 1e-15) + 1e-30);
}

// The same for the hockey-stick: summed by definition in rationals over the outputs, with the tails beyond
// the margin in closed form (there every mass falls by the same ratio).
RC_GTEST_PROP(HockeyProperty, EqualsBruteForceForTheGeneralShape, ()) {
  Scenario scenario = random_scenario(8, 4);
  Noise noise = random_noise();
  const Rational growth_low = testing::exp_bounds(scenario.epsilon.value()).low;
  Rational worst(0);
  for (const Prior& prior : scenario.priors) {
    worst = std::max(worst, testing::brute_hockey(prior, scenario.pairs, noise, growth_low));
  }
  // e^epsilon rounded down makes H larger by at most 2^-190: far below the slack here.
  const Rational slack(1, Integer(1) << 150);
  for (auto [delta, holds] :
       {std::pair{Rational(worst + slack), true}, std::pair{Rational(worst - slack), false}}) {
    if (delta <= 0 || delta >= 1) continue;
    scenario.delta =
        Delta::parse(to_text(delta).size() < 300 ? to_text(delta) : delta.str(), "test", ErrorKind::kData);
    const Proof proof = prove(scenario, noise);
    RC_ASSERT(proof.holds == holds);
    RC_ASSERT(std::fabs(*proof.witness.delta - static_cast<double>(worst)) <=
              1e-15 * static_cast<double>(worst) + 1e-40);
  }
}

// Without noise H can equal delta exactly: 3 of 10 rows take a value that the other secret never takes.
TEST(Hockey, EqualityIsDecidedExactly) {
  Scenario scenario{testing::epsilon_of("1")};
  scenario.secrets = {"A", "B"};
  scenario.priors.push_back(
      {"p", {Distribution::from_counts({1, 2, 3}, {4, 3, 3}), Distribution::from_counts({1, 2}, {5, 5})}});
  auto holds = [&](const char* delta) {
    scenario.delta = Delta::parse(delta, "test", ErrorKind::kData);
    return prove(scenario, no_noise("laplace")).holds;
  };
  EXPECT_TRUE(holds("0.3"));
  EXPECT_FALSE(holds("0.29999999999999999999999999999999999999999999999"));
}

// A table with zeros, and tails: under A the output -21 is impossible, under B a tail reaches it.
TEST(Hockey, TailsReachWhatATablesZerosRuleOut) {
  Scenario scenario{testing::epsilon_of("1.7")};
  scenario.secrets = {"A", "B"};
  scenario.priors.push_back(
      {"p", {Distribution::from_counts({-20}, {1}), Distribution::from_counts({-20, -18}, {1, 1})}});
  scenario.delta = Delta::parse("0.001", "test", ErrorKind::kData);
  Noise noise;
  noise.family = "test";
  noise.weights = {Integer(1), Integer(0), Integer(1), Integer(0), Integer(1)};
  noise.tail = {Integer(3), 3};
  EXPECT_FALSE(prove(scenario, noise).holds);
}

Plan plan_for(const Scenario& scenario, double scale) {
  Plan plan{scenario,
            "kantorovich",
            family_named("laplace")->at(Scale{scale}, scenario.lattice, 0),
            0,
            {},
            {},
            {},
            {},
            {}};
  plan.mse = mean_square_error(scenario, plan.mechanism);
  plan.sensitivity = measure_sensitivity(scenario);
  plan.witness = prove(scenario, plan.noise()).witness;
  plan.assumptions = assumptions_of(scenario);
  return plan;
}

Scenario two_secrets() {
  Scenario scenario{testing::epsilon_of("0.5")};
  scenario.secrets = {"A", "B"};
  scenario.priors.push_back(
      {"p",
       {Distribution::from_counts({1, 2, 3}, {5, 3, 2}), Distribution::from_counts({1, 2, 4}, {2, 3, 5})}});
  return scenario;
}

std::string refusal(const Plan& plan) {
  try {
    verify(plan);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kGuarantee);
    return error.message();
  }
  return "accepted";
}

TEST(Verify, AcceptsWhatIsTrueAndRefusesEachLie) {
  const Plan good = plan_for(two_secrets(), 4);  // W_inf is 2
  EXPECT_EQ(verify(good), good.witness);
  EXPECT_EQ(good.sensitivity.w_inf, 2);
  EXPECT_EQ(good.sensitivity.range, 3);
  EXPECT_DOUBLE_EQ(good.sensitivity.w_1, 1.1);  // the means are 1.7 and 2.8

  Plan quiet = plan_for(two_secrets(), 0.4);
  EXPECT_NE(refusal(quiet).find("more than epsilon 0.5"), std::string::npos) << refusal(quiet);

  Plan other = good;
  other.scenario.epsilon = testing::epsilon_of("0.01");
  EXPECT_NE(refusal(other).find("more than epsilon 0.01"), std::string::npos);

  other = good;
  other.scenario.priors[0].by_secret[0] = Distribution::from_counts({1, 2, 300}, {5, 3, 2});
  EXPECT_NE(refusal(other).find("more than epsilon"), std::string::npos);

  other = good;
  other.mse *= 0.9;
  EXPECT_EQ(refusal(other), "the plan does not verify: the mse is not that of the mechanism");
  other = good;
  std::get<Noise>(other.mechanism).scale = Scale{2};
  EXPECT_EQ(refusal(other), "the plan does not verify: the scale is not that of the noise");
  other = good;
  other.sensitivity.w_inf = 1;
  EXPECT_EQ(refusal(other), "the plan does not verify: the sensitivity is not that of the scenario");
  other = good;
  other.assumptions.pop_back();
  EXPECT_EQ(refusal(other), "the plan does not verify: the assumptions are not those of the scenario");
  other = good;
  *other.witness.loss /= 2;
  EXPECT_EQ(refusal(other), "the plan does not verify: the witness is not where the loss is largest");
}

TEST(Verify, OutputsPossibleUnderOneSecretOnlyAreInfinite) {
  Plan plan = plan_for(two_secrets(), 0);
  EXPECT_NE(refusal(plan).find("an infinite loss"), std::string::npos) << refusal(plan);
}

// One step of the ratio below the least dyadic that attains epsilon is refused; the loss there differs from
// epsilon by about 2^-60, which 128 bits see and doubles do not.
TEST(Verify, SeesTheLastBit) {
  Scenario scenario{testing::epsilon_of("0.5")};
  scenario.secrets = {"A", "B"};
  scenario.priors.push_back(
      {"p", {Distribution::from_counts({0}, {1}), Distribution::from_counts({2}, {1})}});
  Plan plan = plan_for(scenario, 4);
  EXPECT_EQ(refusal(plan), "accepted");
  std::get<Noise>(plan.mechanism).tail.numerator -= 1;
  EXPECT_NE(refusal(plan).find("more than epsilon 0.5"), std::string::npos);
}

// Of all pairs the witness names the one that the output tells apart best, in the secrets' order.
TEST(Verify, TheWitnessNamesThePairThatIsToldApart) {
  for (const std::vector<int64_t>& values :
       std::vector<std::vector<int64_t>>{{0, 1, 5}, {1, 0, 5}, {5, 1, 0}, {1, 5, 0}}) {
    Scenario scenario{testing::epsilon_of("2")};
    scenario.secrets = {"A", "B", "C"};
    scenario.priors.push_back({"p", {}});
    for (int64_t value : values)
      scenario.priors[0].by_secret.push_back(Distribution::from_counts({value}, {1}));
    const Proof proof = prove(scenario, family_named("laplace")->at(Scale{4}, scenario.lattice, 0));
    EXPECT_TRUE(proof.holds);
    EXPECT_NEAR(*proof.witness.loss, 1.25, 1e-9);
    const auto name = [&](int64_t value) {
      return scenario
          .secrets[static_cast<size_t>(std::find(values.begin(), values.end(), value) - values.begin())];
    };
    EXPECT_EQ(proof.witness.pair,
              (std::pair<std::string, std::string>(std::min(name(0), name(5)), std::max(name(0), name(5)))));
  }
}

TEST(PlanJson, DigestGuardsEveryByte) {
  const Plan plan = plan_for(two_secrets(), 4);
  const std::string text = plan_to_json(plan).pretty();
  EXPECT_EQ(plan_from_json(parse_json(text, "p"), "p"), plan);
  std::string changed = text;
  changed.replace(changed.find("\"epsilon\": 0.5"), 14, "\"epsilon\": 0.4");
  try {
    plan_from_json(parse_json(changed, "p"), "p");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kGuarantee);
    EXPECT_EQ(error.message(), "p: the digest is not that of the plan's contents");
  }
}

// A channel by the definition: every ratio of two secrets' masses, in rationals.
TEST(Verify, ChannelsByTheDefinition) {
  Scenario scenario = two_secrets();
  const Channel channel{{1, 2, 3, 4}, {1, 4}, {{7, 3}, {1, 1}, {2, 3}, {4, 6}}};
  // P(1|a) = .5 .7 + .3 .5 + .2 .4 = 0.58, P(1|b) = .2 .7 + .3 .5 + .5 .4 = 0.49; P(4) = 0.42 and 0.51.
  scenario.epsilon = testing::epsilon_of("0.1942");  // log(0.51/0.42) = 0.194156…
  const Proof proof = prove(scenario, channel);
  EXPECT_TRUE(proof.holds);
  EXPECT_NEAR(*proof.witness.loss, std::log(0.51 / 0.42), 1e-15);
  EXPECT_EQ(proof.witness.output, 4);
  scenario.epsilon = testing::epsilon_of("0.1941");
  EXPECT_FALSE(prove(scenario, channel).holds);
  // An output that only one secret may give is an infinite loss; a value without a row is no channel for
  // this.
  scenario.epsilon = testing::epsilon_of("90");
  EXPECT_TRUE(prove(scenario, Channel{{1, 2, 3, 4}, {1, 2}, {{1, 0}, {1, 0}, {0, 1}, {1, 0}}}).infinite);
  EXPECT_THROW(prove(scenario, Channel{{1, 2, 4}, {1}, {{1}, {1}, {1}}}), Error);
  // H = delta exactly, where the outputs are ruled out: compared as rationals.
  scenario.delta = Delta::parse("0.2", "test", ErrorKind::kBug);
  EXPECT_TRUE(
      prove(scenario, Channel{{1, 2, 3, 4}, {1, 2, 3}, {{1, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}).holds ==
      false);
  scenario.delta = Delta::parse("0.5", "test", ErrorKind::kBug);
  EXPECT_TRUE(
      prove(scenario, Channel{{1, 2, 3, 4}, {1, 2, 3}, {{1, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}).holds);
}

// How many people have a secret is no part of what a channel tells about it.
TEST(Verify, ChannelsOfSecretsWithUnequalTotals) {
  Scenario scenario{testing::epsilon_of("0.7")};
  scenario.secrets = {"A", "B"};
  scenario.priors.push_back(
      {"p", {Distribution::from_counts({1, 2}, {1, 3}), Distribution::from_counts({1, 2}, {21, 7})}});
  const Channel channel{{1, 2}, {1, 2}, {{3, 1}, {1, 1}}};
  // P(2|A) = .25 .25 + .75 .5 = 0.4375 and P(2|B) = .75 .25 + .25 .5 = 0.3125; P(1) = 0.5625 and 0.6875.
  const Proof proof = prove(scenario, channel);
  EXPECT_TRUE(proof.holds);
  EXPECT_NEAR(*proof.witness.loss, std::log(0.4375 / 0.3125), 1e-15);
  EXPECT_EQ(proof.witness.output, 2);
  scenario.epsilon = testing::epsilon_of("0.336");  // log 1.4 is 0.33647…
  EXPECT_FALSE(prove(scenario, channel).holds);
  scenario.delta = Delta::parse("0.01", "test", ErrorKind::kBug);
  EXPECT_TRUE(prove(scenario, channel).holds);  // 0.4375 - e^0.336 0.3125 is 0.0002
}

TEST(Verify, RefusesLiesAboutAnObjective) {
  Plan plan = plan_for(two_secrets(), 4);
  plan.method = "optimal";
  plan.objective = {{.kind = ErrorMeasure::kAbsolute},
                    mean_error(plan.scenario, plan.mechanism, {.kind = ErrorMeasure::kAbsolute})};
  EXPECT_EQ(refusal(plan), "accepted");
  Plan other = plan;
  other.objective->error *= 0.9;
  EXPECT_EQ(refusal(other), "the plan does not verify: the error is not that of the mechanism");
  other.objective->measure.kind = ErrorMeasure::kTable;
  EXPECT_EQ(refusal(other), "the plan does not verify: the objective does not cover the mechanism");
  other = plan;
  std::get<Noise>(other.mechanism).scale.reset();
  EXPECT_EQ(refusal(other), "the plan does not verify: the scale is not that of the noise");
}

// Released values that are held within the data's range leave it on neither side.
TEST(Verify, RefusesAChannelWhoseOutputsLeaveTheRange) {
  Scenario scenario = two_secrets();  // values 1 to 4
  scenario.epsilon = testing::epsilon_of("2");
  scenario.source = Source{};
  auto refusal_of = [&](std::vector<int64_t> outputs, bool clamp) {
    scenario.source->clamp = clamp;
    const Channel channel{{1, 2, 3, 4}, std::move(outputs), {{3, 2}, {1, 1}, {1, 1}, {2, 3}}};
    Plan plan{scenario, "randomized-response", channel, 0, {}, {}, {}, {}, {}};
    plan.mse = mean_square_error(scenario, channel);
    plan.sensitivity = measure_sensitivity(scenario);
    plan.witness = prove(scenario, channel).witness;
    plan.assumptions = assumptions_of(scenario);
    return refusal(plan);
  };
  const std::string leaves =
      "the plan does not verify: the channel's outputs leave the range that released values are held in";
  EXPECT_EQ(refusal_of({1, 4}, true), "accepted");
  EXPECT_EQ(refusal_of({0, 4}, true), leaves);
  EXPECT_EQ(refusal_of({1, 5}, true), leaves);
  EXPECT_EQ(refusal_of({0, 5}, false), "accepted");
}

}  // namespace
}  // namespace fugu
