// Masses known within a relative error: what is proved holds for every true law within it, corners included,
// by brute force in exact rationals.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "fugu/compose/joint_loss.h"
#include "fugu/compose/plan_bounds.h"
#include "fugu/core/error.h"
#include "fugu/transport/coupling.h"
#include "fugu/transport/distances.h"
#include "fugu/verify/verify.h"
#include "tests/support/blurred.h"
#include "tests/support/brute_force.h"
#include "tests/support/random_scenario.h"

namespace fugu {
namespace {

using testing::blurred;
using testing::random_blurred;
using testing::random_scenario;
using testing::scenario_within;

constexpr Bits kBlurBits = 192;

Noise random_tailed_noise() {
  Noise noise;
  noise.family = "test";
  noise.weights.clear();
  const auto reach = *rc::gen::inRange<size_t>(0, 3);
  for (size_t k = 0; k < 2 * reach + 1; ++k) noise.weights.emplace_back(*rc::gen::inRange(1, 20));
  noise.tail = {Integer(*rc::gen::inRange(1, 8)), 3};
  return noise;
}

Rational brute_ratio(const Scenario& scenario, const Noise& noise) {
  Rational worst(1);
  for (const Prior& prior : scenario.priors)
    worst = std::max(worst, testing::brute_ratio(prior, scenario.pairs, noise));
  return worst;
}

Rational brute_hockey(const Scenario& scenario, const Noise& noise, const Rational& growth) {
  Rational worst(0);
  for (const Prior& prior : scenario.priors)
    worst = std::max(worst, testing::brute_hockey(prior, scenario.pairs, noise, growth));
  return worst;
}

double log_of(const Rational& ratio) { return log(Interval(ratio, kBlurBits)).upper(); }

// The scenario with its nominal masses taken as exact.
Scenario nominal(Scenario scenario) {
  for (Prior& prior : scenario.priors) {
    for (Distribution& law : prior.by_secret) {
      std::vector<Rational> masses;
      for (size_t k = 0; k < law.size(); ++k) masses.push_back(law.mass(k));
      law = Distribution::from_masses({law.atoms().begin(), law.atoms().end()}, masses);
    }
  }
  return scenario;
}

RC_GTEST_PROP(BlurProperty, NoTrueLawLosesMoreThanIsProved, ()) {
  const Scenario scenario = random_blurred(random_scenario(8, 4));
  const Noise noise = random_tailed_noise();
  const Proof proof = prove(scenario, noise);
  RC_CLASSIFY(proof.holds);
  const auto limit = testing::exp_bounds(scenario.epsilon.value());
  for (int k = 0; k < 4; ++k) {
    const Rational truth = brute_ratio(scenario_within(scenario), noise);
    if (!proof.holds) continue;  // then the witness is one that refutes, not a bound of all
    RC_ASSERT(*proof.witness.loss >= log_of(truth) * (1 - 1e-15));
    RC_ASSERT(truth <= limit.high);
  }
  // Nor is more proved than the blur asks for.
  const Rational blur = scenario.blur();
  const Rational most = brute_ratio(nominal(scenario), noise) * (1 + blur) / (1 - blur);
  RC_ASSERT(*proof.witness.loss <= log_of(most) * (1 + 1e-14) + 1e-30);
}

RC_GTEST_PROP(BlurProperty, NoTrueLawExceedsTheProvedHockeyStick, ()) {
  Scenario scenario = random_blurred(random_scenario(8, 4));
  const Noise noise = random_tailed_noise();
  scenario.delta = Delta::parse("1e-5", "test", ErrorKind::kData);
  const Proof proof = prove(scenario, noise);
  RC_CLASSIFY(proof.holds);
  const auto growth = testing::exp_bounds(scenario.epsilon.value());
  for (int k = 0; k < 4; ++k) {
    const Rational truth = brute_hockey(scenario_within(scenario), noise, growth.high);
    if (!proof.holds) continue;
    RC_ASSERT(exact(*proof.witness.delta) * Rational(1000000001, 1000000000) >= truth);
    RC_ASSERT(truth <= scenario.delta.value());
  }
  const Rational blur = scenario.blur();
  const Rational most = brute_hockey(nominal(scenario), noise, growth.low) + blur * (1 + growth.high);
  RC_ASSERT(exact(*proof.witness.delta) <= most * Rational(1000000001, 1000000000) + exact(1e-30));
}

// Between two values the masses of the nearer one may be the larger by e^epsilon, or not: the blur hides
// which. All that may be there counts, also where the other value's part is certainly negative.
TEST(Blur, ASignThatTheBlurHidesCounts) {
  Noise noise = no_noise("test");
  noise.tail = {Integer(1), 1};
  const Rational blur(1, 100);
  auto law = [](bool mirrored, const Rational& here) {
    const Rational there(1 - here);
    return Distribution::from_masses(
        {0, 40}, mirrored ? std::vector<Rational>{here, there} : std::vector<Rational>{there, here});
  };
  for (bool mirrored : {false, true}) {
    Scenario scenario{testing::epsilon_of("0.5")};  // e^0.5 is 1.6487
    scenario.secrets = {"A", "B"};
    scenario.delta = Delta::parse("0.5", "test", ErrorKind::kData);
    const Rational a(4946, 10000), b(3, 10);
    scenario.priors.push_back({"p", {blurred(law(mirrored, a), blur), blurred(law(mirrored, b), blur)}});
    const Prior truth{"p", {law(mirrored, a * Rational(1009, 1000)), law(mirrored, b * Rational(991, 1000))}};
    const Proof proof = prove(scenario, noise);
    ASSERT_TRUE(proof.holds);
    const Rational growth = testing::exp_bounds(scenario.epsilon.value()).high;
    EXPECT_GE(exact(*proof.witness.delta), testing::brute_hockey(truth, scenario.pairs, noise, growth));
  }
}

// The same of more places than are looked at one by one: what may be there counts at each of them.
TEST(Blur, ASignThatTheBlurHidesCountsHoweverFarValuesLieApart) {
  Noise noise = no_noise("test");
  noise.tail = {Integer(4095), 12};
  const std::vector<int64_t> atoms{0, 30000, 60000};
  const std::vector<double> first{0.5, 0.3, 0.2}, second{0.3, 0.3, 0.4};
  for (bool mirrored : {false, true}) {
    auto law = [&](std::vector<double> masses) {
      if (mirrored) std::reverse(masses.begin(), masses.end());
      return blurred(Distribution::from_masses(atoms, {Rational(std::lround(masses[0] * 10), 10),
                                                       Rational(std::lround(masses[1] * 10), 10),
                                                       Rational(std::lround(masses[2] * 10), 10)}),
                     Rational(1, 10));
    };
    Scenario scenario{testing::epsilon_of("0.001")};
    scenario.secrets = {"A", "B"};
    scenario.delta = Delta::parse("0.99", "test", ErrorKind::kData);
    scenario.priors.push_back({"p", {law(first), law(second)}});
    const Proof proof = prove(scenario, noise);
    ASSERT_TRUE(proof.holds);
    const double r = 4095.0 / 4096, growth = std::exp(0.001);
    auto most_beyond = [&](const std::vector<double>& one, const std::vector<double>& other) {
      double sum = 0;
      for (int64_t y = -100000; y <= 160000; ++y) {
        double excess = 0;
        for (size_t k = 0; k < atoms.size(); ++k) {
          const double share = std::pow(r, static_cast<double>(std::llabs(y - atoms[k]))) * (1 - r) / (1 + r);
          excess += (1.1 * one[k] - growth * 0.9 * other[k]) * share;
        }
        sum += std::max(0.0, excess);
      }
      return sum;
    };
    EXPECT_GE(*proof.witness.delta,
              std::max(most_beyond(first, second), most_beyond(second, first)) * (1 - 1e-9));
  }
}

RC_GTEST_PROP(BlurProperty, ABlurOfZeroChangesNothing, ()) {
  const Scenario scenario = random_scenario(8, 4);
  Scenario same = nominal(scenario);
  for (Prior& prior : same.priors) {
    for (Distribution& law : prior.by_secret) {
      law = blurred(law, Rational(0));
      RC_ASSERT(law.blur() == 0);
    }
  }
  RC_ASSERT(same == nominal(scenario));
}

// Two releases of one value: every joint output by definition.
RC_GTEST_PROP(BlurProperty, NoTrueLawLosesMoreThanTheJointBounds, ()) {
  Scenario scenario = random_blurred(random_scenario(4, 3));
  std::vector<Noise> noises;
  for (int k = 0; k < 2; ++k) {
    noises.push_back(no_noise("laplace"));
    noises.back().tail = {Integer(*rc::gen::inRange(1, 8)), 3};
  }
  std::vector<Mechanism> drawn(noises.begin(), noises.end());
  std::vector<Exchange> releases;
  for (const Mechanism& one : drawn) releases.emplace_back(one, scenario.epsilon.value(), kBlurBits);
  const auto joint = joint_loss(scenario, {&drawn[0], &drawn[1]}, kBlurBits);
  const auto rows = row_bound(scenario, releases, kBlurBits);
  const auto cells = cell_bound(scenario, releases, kBlurBits);
  const auto distance = distance_bound(scenario, {noises[0].tail.value(), noises[1].tail.value()}, kBlurBits);
  const auto growth = testing::exp_bounds(Rational(2 * scenario.epsilon.value()));
  for (int k = 0; k < 3; ++k) {
    for (const Prior& prior : scenario_within(scenario).priors) {
      const auto atoms = union_support(prior.by_secret);
      for (auto [a, b] : scenario.pairs.list(prior.by_secret.size())) {
        Rational ratio(1), forth(0), back(0);
        for (int64_t y = atoms.front(); y <= atoms.back(); ++y) {
          for (int64_t z = atoms.front(); z <= atoms.back(); ++z) {
            std::vector<Rational> mass;
            for (uint32_t s : {a, b}) {
              const Distribution& law = prior.by_secret[s];
              Rational sum(0);
              for (size_t x = 0; x < law.size(); ++x) {
                sum += law.mass(x) * testing::weight_at(noises[0], y - law.atoms()[x]) *
                       testing::weight_at(noises[1], z - law.atoms()[x]);
              }
              mass.push_back(sum / (total_weight(noises[0]) * total_weight(noises[1])));
            }
            ratio = std::max({ratio, Rational(mass[0] / mass[1]), Rational(mass[1] / mass[0])});
            forth += std::max(Rational(0), Rational(mass[0] - growth.high * mass[1]));
            back += std::max(Rational(0), Rational(mass[1] - growth.high * mass[0]));
          }
        }
        const Interval loss = log(Interval(ratio, kBlurBits));
        for (const auto& bound : {joint, rows, distance}) {
          if (bound) RC_ASSERT(!certainly_less(*bound, loss));
        }
        if (cells) RC_ASSERT(!certainly_less(*cells, Interval(std::max(forth, back), kBlurBits)));
      }
    }
  }
  if (joint) {  // the exact loss is no more than the other bounds, blur included
    const Interval slack(exact(1e-30), kBlurBits);
    if (rows) RC_ASSERT(!certainly_less(*rows + slack, *joint));
  }
}

RC_GTEST_PROP(BlurProperty, TheRawLossBoundsEveryTrueLaw, ()) {
  const Scenario scenario = random_blurred(random_scenario(5, 3));
  const auto raw = raw_loss(scenario, kBlurBits);
  const auto truth = raw_loss(scenario_within(scenario), kBlurBits);
  RC_ASSERT(raw.has_value() == truth.has_value());
  if (raw) RC_ASSERT(!certainly_less(*raw, *truth));
}

RC_GTEST_PROP(BlurProperty, NoTrueLawMovesMassFurther, ()) {
  const Scenario scenario = random_blurred(random_scenario(8, 4));
  for (const Prior& prior : scenario.priors) {
    const int64_t most = most_w_inf(prior.by_secret, scenario.pairs);
    RC_ASSERT(most >= largest_w_inf(prior.by_secret, scenario.pairs));
    std::vector<Distribution> truth;
    for (const Distribution& law : prior.by_secret) truth.push_back(testing::law_within(law, Rational(1)));
    RC_ASSERT(most >= largest_w_inf(truth, scenario.pairs));
  }
}

// One nominal law for both: its transport plan moves nothing, and yet the true laws may differ.
TEST(Blur, EqualNominalLawsStillCost) {
  Scenario scenario{testing::epsilon_of("0.01")};
  scenario.secrets = {"A", "B"};
  const auto law = blurred(Distribution::from_counts({0, 10}, {1, 1}), Rational(1, 10));
  scenario.priors = {{"p", {law, law}}};
  Noise noise = no_noise("laplace");
  noise.tail = {Integer(1), 10};
  const Mechanism drawn = noise;
  std::vector<Exchange> releases(2, Exchange(drawn, scenario.epsilon.value(), kBlurBits));
  const Interval loss = log(Interval(Rational(11, 9), kBlurBits));
  EXPECT_TRUE(certainly_less(loss, *row_bound(scenario, releases, kBlurBits)));
  EXPECT_TRUE(
      certainly_less(loss, *distance_bound(scenario, {noise.tail.value(), noise.tail.value()}, kBlurBits)));
  // 11/20 against 9/20 on the outputs that tell: more than 0.55 * (1 - 1/256)^2 - e^0.02 * 0.4502.
  EXPECT_TRUE(
      certainly_less(Interval(Rational(8, 100), kBlurBits), *cell_bound(scenario, releases, kBlurBits)));
}

TEST(Blur, DistanceIsThatOfTheFarthestLaws) {
  // Half and half against 49 and 51 of 100: one step nominally. With a blur of a tenth the first may have
  // more at 0 than the second below 10.
  const auto first = Distribution::from_counts({0, 5}, {50, 50});
  const auto second = Distribution::from_counts({0, 1, 10}, {49, 2, 49});
  const std::vector<Distribution> exact{first, second};
  EXPECT_EQ(most_w_inf(exact, PairSet::all()), 5);
  const std::vector<Distribution> tight{blurred(first, Rational(1, 1000)),
                                        blurred(second, Rational(1, 1000))};
  EXPECT_EQ(most_w_inf(tight, PairSet::all()), 5);
  const std::vector<Distribution> loose{blurred(first, Rational(1, 10)), blurred(second, Rational(1, 10))};
  EXPECT_EQ(most_w_inf(loose, PairSet::all()), 10);
}

// With noise that ends, H is a rational sum compared with delta exactly: now of the most that the sum may be.
TEST(Blur, ImpossibleOutputsAreWeighedAtTheirMost) {
  Scenario scenario{testing::epsilon_of("1")};
  scenario.secrets = {"A", "B"};
  scenario.priors.push_back({"p",
                             {blurred(Distribution::from_counts({1, 2, 3}, {4, 3, 3}), Rational(1, 10)),
                              Distribution::from_counts({1, 2}, {5, 5})}});
  auto holds = [&](const char* delta) {
    scenario.delta = Delta::parse(delta, "test", ErrorKind::kData);
    return prove(scenario, no_noise("laplace")).holds;
  };
  EXPECT_FALSE(holds("0.3"));
  EXPECT_FALSE(holds("0.3299999"));
  EXPECT_TRUE(holds("0.3300001"));  // the blur is rounded up to a double
}

// Between two far atoms the sign of the excess cannot be told over two hundred thousand steps: they are
// bounded in one piece, and the bound holds at the corners, where the exact sum knows every sign.
TEST(Blur, AGapWhoseSignIsUnknownIsBounded) {
  Scenario scenario{testing::epsilon_of("1")};
  scenario.secrets = {"A", "B"};
  scenario.delta = Delta::parse("0.001", "test", ErrorKind::kData);
  const int64_t middle = 200000, far = 40000000;
  // The middle atom's masses are e apart, give or take the blur.
  auto first = [&](int64_t moved) {
    return Distribution::from_masses({0, middle, far},
                                     {Rational(100), Rational(2718 + moved), Rational(7182 - moved)});
  };
  auto second = [&](int64_t moved) {
    return Distribution::from_masses({middle, far}, {Rational(1000 + moved), Rational(9000 - moved)});
  };
  Noise noise = no_noise("laplace");
  noise.tail = {(Integer(1) << 18) - 1, 18};
  const Rational blur(1, 10);
  scenario.priors = {{"p", {blurred(first(0), blur), blurred(second(0), blur)}}};
  const double proved = *prove(scenario, noise).witness.delta;
  double most = 0;
  for (int64_t up : {-271, 0, 271}) {
    for (int64_t down : {-100, 0, 100}) {
      scenario.priors[0].by_secret = {first(up), second(down)};
      most = std::max(most, *prove(scenario, noise).witness.delta);
    }
  }
  EXPECT_GE(proved, most);
  EXPECT_LE(proved, most * 1.1);
}

// More digits do not help here, so the answer is a plain no.
TEST(Blur, WhatCannotBeToldIsANo) {
  Scenario scenario{testing::epsilon_of("1")};
  scenario.secrets = {"A", "B"};
  // 2718281828459 : 10^12 is a hair below e; a blur of 10^-12 is more than that hair.
  const auto first = Distribution::from_counts({0, 1}, {2718281828459, 1000000000000});
  const auto second = Distribution::from_counts({0, 1}, {1000000000000, 2718281828459});
  scenario.priors.push_back({"p", {first, second}});
  EXPECT_TRUE(prove(scenario, no_noise("laplace")).holds);
  const Rational blur(1, pow(Integer(10), 12));
  scenario.priors[0].by_secret = {blurred(first, blur), blurred(second, blur)};
  const Proof proof = prove(scenario, no_noise("laplace"));
  EXPECT_FALSE(proof.holds);
  EXPECT_FALSE(proof.infinite);
  EXPECT_GT(*proof.witness.loss, 1);
  EXPECT_LT(*proof.witness.loss, 1 + 1e-11);
}

TEST(Blur, BoundsBecomeABlurThatHoldsAfterDividing) {
  // 0.5 and 0.51 within 2 %: the sum is 1.01, so the blur is 0.01 + 0.02 * 1.01.
  const auto law = Distribution::from_bounds({0, 1}, {Rational(1, 2), Rational(51, 100)}, Rational(2, 100));
  EXPECT_GE(law.blur(), Rational(302, 10000));
  EXPECT_LE(law.blur(), Rational(302, 10000) * Rational(1000001, 1000000));
  EXPECT_EQ(law.mass(0), Rational(50, 101));
  EXPECT_NE(law, Distribution::from_masses({0, 1}, {Rational(50), Rational(51)}));

  auto refused = [](std::vector<Rational> masses, const Rational& relative) -> std::string {
    try {
      Distribution::from_bounds({0, 1}, masses, relative);
    } catch (const Error& error) {
      return error.message();
    }
    return "";
  };
  EXPECT_EQ(refused({Rational(1), Rational(0)}, Rational(1, 10)),
            "a mass that is known by bounds may be zero");
  EXPECT_EQ(refused({Rational(1, 2), Rational(1, 2)}, Rational(1)),
            "a mass that is known by bounds may be zero");
  EXPECT_EQ(refused({Rational(1, 2), Rational(1, 3)}, Rational(1, 100)),
            "masses that are known by bounds cannot sum to 1");
  EXPECT_EQ(refused({Rational(1), Rational(3, 10)}, Rational(3, 4)),
            "masses that are known by bounds are known too badly");
}

TEST(Blur, AConfidenceNeedsCounts) {
  Scenario scenario{testing::epsilon_of("1")};
  scenario.secrets = {"A", "B"};
  const auto law = blurred(Distribution::from_counts({0, 1}, {1, 2}), Rational(1, 1000));
  scenario.priors.push_back({"p", {law, law}});
  scenario.confidence = Rational(9, 10);
  try {
    prove(scenario, no_noise("laplace"));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), "a confidence needs counts, and a model computed these masses");
    EXPECT_EQ(error.kind(), ErrorKind::kData);
  }
}

}  // namespace
}  // namespace fugu
