#include "fugu/compose/compose.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <functional>

#include "fugu/compose/joint_loss.h"
#include "fugu/compose/plan_bounds.h"
#include "fugu/core/error.h"
#include "tests/support/brute_force.h"
#include "tests/support/joint_brute.h"
#include "tests/support/random_scenario.h"

namespace fugu {
namespace {

using testing::brute_joint;
using testing::epsilon_of;
using testing::joint_masses;
using testing::laplace_tail;

constexpr Bits kComposeBits = 192;

Plan plan_of(const Scenario& scenario, Mechanism mechanism, const std::string& epsilon = "0.5") {
  Plan plan{scenario, "exact", std::move(mechanism), 0, {}, {}, {}, {}, {}};
  plan.scenario.epsilon = epsilon_of(epsilon);
  return plan;
}

Scenario two_secrets(std::vector<uint64_t> first, std::vector<uint64_t> second) {
  Scenario scenario{epsilon_of("0.5")};
  scenario.secrets = {"a", "b"};
  std::vector<int64_t> atoms;
  for (size_t k = 0; k < first.size(); ++k) atoms.push_back(static_cast<int64_t>(k));
  scenario.priors = {
      {"p", {Distribution::from_counts(atoms, first), Distribution::from_counts(atoms, second)}}};
  return scenario;
}

// --- random input ----------------------------------------------------------------------------------------

Scenario small_scenario(size_t most_values) {
  Scenario scenario = testing::small_scenario(most_values, 2);
  if (*rc::gen::inRange(0, 3) == 0) scenario.pairs = PairSet::neighbours(scenario.secrets.size());
  return scenario;
}

Noise random_laplace() { return laplace_tail(*rc::gen::inRange(0, 16), 4); }

Noise random_table() {
  Noise noise = no_noise("test");
  const auto reach = *rc::gen::inRange<size_t>(1, 3);
  noise.weights.clear();
  for (size_t k = 0; k < 2 * reach + 1; ++k) noise.weights.emplace_back(*rc::gen::inRange(1, 9));
  noise.tail = {Integer(*rc::gen::inRange(0, 8)), 3};
  return noise;
}

Channel random_channel(const Scenario& scenario) {
  std::vector<int64_t> inputs;
  for (const Prior& prior : scenario.priors) {
    for (int64_t x : union_support(prior.by_secret)) inputs.push_back(x);
  }
  std::sort(inputs.begin(), inputs.end());
  inputs.erase(std::unique(inputs.begin(), inputs.end()), inputs.end());
  Channel channel{inputs, {0, 1, 5}, {}};
  for (size_t i = 0; i < inputs.size(); ++i) {
    channel.weights.emplace_back();
    for (int k = 0; k < 3; ++k) channel.weights.back().emplace_back(*rc::gen::inRange(k == 0 ? 1 : 0, 9));
  }
  return channel;
}

Mechanism random_mechanism(const Scenario& scenario) {
  switch (*rc::gen::inRange(0, 4)) {
    case 0:
      return random_table();
    case 1:
      return random_channel(scenario);
    default:
      return random_laplace();
  }
}

std::vector<const Mechanism*> pointers(const std::vector<Mechanism>& mechanisms) {
  std::vector<const Mechanism*> result;
  for (const Mechanism& mechanism : mechanisms) result.push_back(&mechanism);
  return result;
}

void check_against_brute_force(const Scenario& scenario, const std::vector<Mechanism>& mechanisms) {
  const testing::BruteLoss brute = brute_joint(scenario, pointers(mechanisms));
  const Interval truth = log(Interval(brute.ratio, kComposeBits));
  const auto joint = joint_loss(scenario, pointers(mechanisms), kComposeBits);
  RC_ASSERT(joint.has_value() == !brute.infinite);
  // The grid's is the truth itself, not a bound of it.
  if (joint) RC_ASSERT(!certainly_less(*joint, truth) && !certainly_less(truth, *joint));

  std::vector<Exchange> releases;
  std::vector<Plan> plans;
  for (const Mechanism& mechanism : mechanisms) {
    releases.emplace_back(mechanism, Rational(1, 2), kComposeBits);
    plans.push_back(plan_of(scenario, mechanism));
  }
  const auto rows = row_bound(scenario, releases, kComposeBits);
  if (rows) RC_ASSERT(!brute.infinite && !certainly_less(*rows, truth));
  const auto raw = raw_loss(scenario, kComposeBits);
  if (raw) RC_ASSERT(!brute.infinite && !certainly_less(*raw, truth));
  for (const Composition& bound : sound_bounds(plans)) {
    if (bound.bound == "single") continue;  // these plans were not calibrated
    RC_ASSERT(!brute.infinite);
    RC_ASSERT(!certainly_less(Interval(bound.epsilon, kComposeBits), truth));
  }
}

RC_GTEST_PROP(ComposeProperty, TwoReleasesAgainstBruteForce, ()) {
  const Scenario scenario = small_scenario(4);
  check_against_brute_force(scenario, {random_mechanism(scenario), random_mechanism(scenario)});
}

RC_GTEST_PROP(ComposeProperty, ThreeReleasesAgainstBruteForce, ()) {
  const Scenario scenario = small_scenario(3);
  check_against_brute_force(scenario, {random_laplace(), random_laplace(), random_mechanism(scenario)});
}

RC_GTEST_PROP(ComposeProperty, OneReleaseIsWhatVerifySays, ()) {
  const Scenario scenario = small_scenario(6);
  check_against_brute_force(scenario, {random_mechanism(scenario)});
}

RC_GTEST_PROP(ComposeProperty, RowsNeverExceedTheFarthestDistance, ()) {
  const Scenario scenario = testing::random_scenario(12, 4);
  std::vector<Exchange> releases;
  std::vector<Rational> ratios;
  for (int k = 0; k < 4; ++k) {
    const Noise noise = laplace_tail(*rc::gen::inRange(1, 64), 6);
    releases.emplace_back(noise, Rational(1), kComposeBits);
    ratios.push_back(noise.tail.value());
  }
  const auto rows = row_bound(scenario, releases, kComposeBits);
  const auto distance = distance_bound(scenario, ratios, kComposeBits);
  RC_ASSERT(rows && distance && !certainly_less(*distance, *rows));
}

// The largest hockey-stick over priors and pairs, both ways, summed over a finite window: at most the true
// one.
Rational brute_joint_hockey(const Scenario& scenario, const std::vector<const Mechanism*>& releases,
                            const Rational& growth) {
  Rational worst(0);
  for (const Prior& prior : scenario.priors) {
    const auto masses = joint_masses(prior, releases, 12);
    for (auto [a, b] : scenario.pairs.list(prior.by_secret.size())) {
      for (auto [i, j] : {SecretPair{a, b}, SecretPair{b, a}}) {
        Rational hockey(0);
        for (size_t y = 0; y < masses[i].size(); ++y)
          hockey += std::max(Rational(0), Rational(masses[i][y] - growth * masses[j][y]));
        worst = std::max(worst, hockey);
      }
    }
  }
  return worst;
}

// With e^epsilon rounded up the hockey-stick is smaller still.
RC_GTEST_PROP(ComposeProperty, CellsBoundTheJointHockeyStick, ()) {
  const Scenario scenario = small_scenario(4);
  const std::vector<Mechanism> mechanisms{
      *rc::gen::element(0, 1) ? Mechanism(random_table()) : random_channel(scenario),
      laplace_tail(*rc::gen::inRange(0, 13), 4)};
  const Rational each(*rc::gen::inRange(1, 30), 10);
  std::vector<Exchange> releases;
  std::vector<Plan> plans;
  for (const Mechanism& mechanism : mechanisms) {
    releases.emplace_back(mechanism, each, kComposeBits);
    plans.push_back(plan_of(scenario, mechanism, to_text(each)));
    plans.back().scenario.delta = Delta::parse("0.02", "test", ErrorKind::kData);
  }
  auto hockey_at = [&](const Rational& epsilon) {
    return Interval(brute_joint_hockey(scenario, pointers(mechanisms), testing::exp_bounds(epsilon).high),
                    kComposeBits);
  };
  const auto bound = cell_bound(scenario, releases, kComposeBits);
  if (bound) RC_ASSERT(!certainly_less(*bound, hockey_at(Rational(2 * each))));
  for (const Composition& cells : sound_bounds(plans)) {
    if (cells.bound != "cells") continue;
    RC_ASSERT(cells.delta <= Rational(1, 25));
    RC_ASSERT(!certainly_less(Interval(cells.delta, kComposeBits), hockey_at(cells.epsilon)));
  }
}

// --- the section's examples ------------------------------------------------------------------------------

// p = (1/4, 1/2, 1/4), q = (3/8, 1/4, 3/8) at r = 9/10: each release tells 38/37, both together 362/343.
TEST(Compose, ExactPlansDoNotAdd) {
  const Scenario scenario = two_secrets({1, 2, 1}, {3, 2, 3});
  const Rational r(9, 10);
  const Rational powers[] = {Rational(1), r, Rational(r * r)};
  auto ratio = [&](auto weight) {
    Rational p(0), q(0);
    for (int x = 0; x < 3; ++x) {
      p += scenario.priors[0].by_secret[0].mass(static_cast<size_t>(x)) * weight(x);
      q += scenario.priors[0].by_secret[1].mass(static_cast<size_t>(x)) * weight(x);
    }
    return std::max(Rational(p / q), Rational(q / p));
  };
  Rational one(1), both(1);
  for (int y = 0; y < 3; ++y) {
    one = std::max(one, ratio([&](int x) { return powers[std::abs(x - y)]; }));
    for (int z = 0; z < 3; ++z)
      both = std::max(
          both, ratio([&](int x) { return Rational(powers[std::abs(x - y)] * powers[std::abs(x - z)]); }));
  }
  EXPECT_EQ(one, Rational(38, 37));
  EXPECT_EQ(both, Rational(362, 343));
  EXPECT_GT(both, one * one);

  Noise noise = no_noise("laplace");
  noise.tail = {floor(Rational(r * Rational(Integer(1) << 100))) + 1, 100};
  const Plan plan = plan_of(scenario, noise, "0.03");
  const Composition together = compose({plan, plan});
  EXPECT_EQ(together.bound, "joint");
  EXPECT_NEAR(static_cast<double>(together.epsilon), std::log(362.0 / 343.0), 1e-15);
  EXPECT_GT(together.epsilon, 2 * std::log(38.0 / 37.0));
  EXPECT_EQ(compose({plan}), (Composition{Rational(3, 100), Rational(0), "single"}));
}

TEST(Compose, TheSumOfTheEpsilonsIsWrittenAsSuch) {
  // Point masses: the loss of each is -log r, just below its epsilon, and the sum is reached.
  const Scenario scenario = two_secrets({1, 0}, {0, 1});
  Noise noise = no_noise("laplace");
  noise.tail = {exp(Interval(Rational(-1, 10), 256)).ceil_scaled(80), 80};
  const Plan plan = plan_of(scenario, noise, "0.1");
  const Composition together = compose({plan, plan, plan});
  EXPECT_EQ(together.epsilon, Rational(3, 10));
  EXPECT_EQ(composition_to_json(together).canonical(), R"({"bound":"joint","delta":0,"epsilon":0.3})");
}

std::string reason(const std::vector<Plan>& plans, Beliefs beliefs = Beliefs::kSame) {
  try {
    sound_bounds(plans, beliefs);
    return "";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kGuarantee);
    return error.message();
  }
}

TEST(Compose, RefusesWhatIsNotTheSameValue) {
  Scenario scenario = two_secrets({1, 2, 1}, {3, 2, 3});
  scenario.source.emplace();
  scenario.source->secret = {"s"};
  scenario.source->published = {"x"};
  scenario.source->columns[0].labels = {"low", "mid", "high"};
  const Plan plan = plan_of(scenario, laplace_tail(1, 1));
  EXPECT_EQ(reason({plan, plan}), "");
  auto with = [&](auto change) {
    Plan other = plan;
    change(other.scenario);
    return reason({plan, other});
  };
  EXPECT_NE(with([](Scenario& s) { s.source->published = {"y"}; }).find("different columns"),
            std::string::npos);
  EXPECT_NE(with([](Scenario& s) { s.source->secret = {"t"}; }).find("secret columns"), std::string::npos);
  EXPECT_NE(with([](Scenario& s) {
              s.source->columns[0].labels = {"mid", "low", "high"};
            }).find("same order"),
            std::string::npos);
  EXPECT_NE(with([](Scenario& s) { s.source.reset(); }).find("table's column"), std::string::npos);
  EXPECT_NE(with([](Scenario& s) { s.lattice.step = 2; }).find("lattices"), std::string::npos);
  EXPECT_NE(with([](Scenario& s) { s.secrets = {"b", "a"}; }).find("secrets"), std::string::npos);
  EXPECT_NE(with([](Scenario& s) { s.source->missing = Missing::kDrop; }).find("--missing"),
            std::string::npos);
  EXPECT_EQ(with([](Scenario& s) { s.source->clamp = true; }), "");           // done to what is released
  EXPECT_EQ(with([](Scenario& s) { s.pairs = PairSet::of({{0, 1}}); }), "");  // the same pairs, listed
}

TEST(Compose, OtherFrequenciesOnlyWhereTheyMayDiffer) {
  const Plan first = plan_of(two_secrets({1, 2, 1}, {3, 2, 3}), laplace_tail(1, 1));
  const Plan other = plan_of(two_secrets({1, 2, 1}, {9, 1, 3}), laplace_tail(1, 1));
  EXPECT_NE(reason({first, other}).find("different tables"), std::string::npos);
  auto joint = [&](const std::vector<Plan>& plans) {
    for (const Composition& bound : sound_bounds(plans, Beliefs::kAny)) {
      if (bound.bound == "joint") return bound.epsilon;
    }
    return Rational(-1);
  };
  // Against either belief: the larger of what both noises tell under each.
  EXPECT_EQ(joint({first, other}), std::max(joint({first, first}), joint({other, other})));
}

TEST(Compose, NothingFinite) {
  const Plan bare = plan_of(two_secrets({1, 1, 0}, {0, 1, 1}), no_noise("laplace"));
  EXPECT_THROW(compose({bare, bare}), Error);
  // One release with noise does not mend one without.
  EXPECT_THROW(compose({bare, plan_of(bare.scenario, laplace_tail(1, 1))}), Error);
}

TEST(Compose, InWords) {
  EXPECT_EQ(in_words(Composition{Rational(1, 2), Rational(0), "joint"}),
            "a 50 % belief in either of two secrets becomes at most 62.3 %");
  EXPECT_EQ(in_words(Composition{Rational(0), Rational(0), "raw"}), "nothing is revealed about the secrets");
  EXPECT_EQ(in_words(Composition{Rational(200), Rational(0), "rows"}), "that is as good as no promise");
  EXPECT_FALSE(in_words(Composition{Rational(1), exact(1e-200), "cells"}).empty());
}

}  // namespace
}  // namespace fugu
