#include "fugu/verify/transfer.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>

#include "fugu/compose/compose_models.h"
#include "fugu/core/interval.h"
#include "fugu/verify/count_loss.h"
#include "fugu/verify/quilt.h"
#include "tests/support/enumerated_chain.h"
#include "tests/support/random_chain.h"

namespace fugu {
namespace {

using testing::brute_ratio;
using testing::random_model;

double loss_of(const ChainModel& model, const Rational& ratio) {
  return transfer_loss(model, odds_of_change(model, ratio), {}, {}).loss;
}

double loss_by_quilts_of(const ChainModel& model, const Rational& ratio) {
  return quilt_loss(model, cost_of_one_state(model, ratio, 128).upper(), {});
}

double rounded_log(const Rational& value) { return log(Interval(value, 128)).lower(); }

Rational any_ratio() { return Rational(*rc::gen::inRange(1, 64), 64); }

// The least l of section 12's step, two states: one of two patterns of g, in rationals.
Rational step_of_two(const std::vector<Rational>& p, const std::vector<Rational>& q, const Rational& up,
                     const Rational& down) {
  return std::max({Rational(1), Rational((p[0] * up + p[1]) / (q[0] * up + q[1])),
                   Rational((p[0] + p[1] * down) / (q[0] + q[1] * down))});
}

// The recursion of section 12 as it stands there, time by time, in rationals. Two states.
Rational brute_transfer(const ChainModel& model, const Rational& ratio) {
  const Rational change = 1 / (model.counted ? ratio : Rational(ratio * ratio));
  Rational worst(1);
  for (const MarkovChain& chain : model.chains) {
    std::vector<std::vector<Rational>> laws{start_law(chain)};
    for (size_t t = 1; t < model.length; ++t) {
      const auto& law = laws.back();
      laws.push_back({law[0] * chain.transition[0][0] + law[1] * chain.transition[1][0],
                      law[0] * chain.transition[0][1] + law[1] * chain.transition[1][1]});
    }
    std::vector<std::pair<Rational, Rational>> right(model.length, {1, 1}), left = right;
    for (size_t t = model.length - 1; t-- > 0;) {
      const auto& [up, down] = right[t + 1];
      const auto &p = chain.transition[0], &q = chain.transition[1];
      right[t] = {step_of_two(p, q, change * up, change * down),
                  step_of_two(q, p, change * up, change * down)};
    }
    for (size_t t = 1; t < model.length; ++t) {
      if (laws[t][0] == 0 || laws[t][1] == 0) continue;
      std::vector<std::vector<Rational>> back(2);
      for (size_t x : {0, 1})
        for (size_t y : {0, 1}) back[x].push_back(laws[t - 1][y] * chain.transition[y][x] / laws[t][x]);
      const auto& [up, down] = left[t - 1];
      left[t] = {step_of_two(back[0], back[1], change * up, change * down),
                 step_of_two(back[1], back[0], change * up, change * down)};
    }
    for (size_t t = 0; t < model.length; ++t) {
      if (laws[t][0] == 0 || laws[t][1] == 0) continue;
      worst = std::max({worst, Rational(change * left[t].first * right[t].first),
                        Rational(change * left[t].second * right[t].second)});
    }
  }
  return worst;
}

RC_GTEST_PROP(ChainTransfer, NeverPromisesMoreThanEnumerationShows, ()) {
  ChainModel model = random_model(5);
  if (*rc::gen::inRange(0, 2) && (model.states.size() < 3 || model.length < 4)) model.counted.reset();
  const Rational ratio = any_ratio();
  RC_ASSERT(loss_of(model, ratio) >= rounded_log(brute_ratio(model, ratio)));
}

RC_GTEST_PROP(ChainTransfer, NeverPromisesMoreThanTheExactLaw, ()) {
  const ChainModel model = random_model(30);
  const Rational ratio = any_ratio();
  RC_ASSERT(loss_of(model, ratio) >= count_loss(model, ratio, {}, {}).loss * (1 - 1e-15) - 1e-14);
}

RC_GTEST_PROP(ChainTransfer, OfTwoStatesIsTheRecursionInRationals, ()) {
  ChainModel model = random_model(9);
  RC_PRE(model.states.size() == 2);
  if (*rc::gen::inRange(0, 2)) model.counted.reset();
  const Rational ratio = any_ratio();
  const double truth = rounded_log(brute_transfer(model, ratio)), found = loss_of(model, ratio);
  RC_ASSERT(found >= truth);
  RC_ASSERT(found <= truth * (1 + 1e-14) + 1e-14);
}

RC_GTEST_PROP(ChainTransfer, IsNeverAboveTheQuilts, ()) {
  ChainModel model = random_model(12);
  if (*rc::gen::inRange(0, 2)) model.counted.reset();
  const Rational ratio = any_ratio();
  RC_ASSERT(loss_of(model, ratio) <= loss_by_quilts_of(model, ratio) * (1 + 1e-12) + 1e-14);
}

// Counts of two states, one after the other, by enumeration of every sequence: each release's loss at most
// the joint bound, which is at most the sum and is the bound of their factors together.
RC_GTEST_PROP(ChainTransfer, ComposesByFactors, ()) {
  const ChainModel model = random_model(4);
  std::vector<ModelPlan> plans;
  for (int k = 0; k < 2; ++k) {
    Noise noise = no_noise("laplace");
    noise.tail = {Integer(*rc::gen::inRange(8, 64)), 6};
    plans.push_back(
        {model, {Epsilon::parse("1", "epsilon", ErrorKind::kUsage), {}}, "transfer", noise, 0, {}, {}, {}});
  }
  const Rational product = plans[0].noise.tail.value() * plans[1].noise.tail.value();
  const Composition together = compose(plans);
  const auto epsilon = static_cast<double>(together.epsilon);
  RC_ASSERT(epsilon <= loss_of(model, product) * (1 + 1e-14));
  RC_ASSERT(epsilon >= rounded_log(brute_ratio(model, plans[0].noise.tail.value())));
  RC_ASSERT(together.delta == 0);
}

MarkovChain chain_of_two(int stay, int stay_too, std::optional<std::vector<Rational>> start) {
  return {"chain",
          {{Rational(stay, 100), Rational(100 - stay, 100)},
           {Rational(100 - stay_too, 100), Rational(stay_too, 100)}},
          std::move(start)};
}

// What settles is worth the same as step after step; at any length.
TEST(ChainTransfer, OfALongChainIsThatOfItsFixedPoint) {
  for (const auto& start : {std::optional<std::vector<Rational>>(),
                            std::optional(std::vector<Rational>{Rational(1), Rational(0)})}) {
    const ChainModel shorter{{"0", "1"}, {chain_of_two(80, 70, start)}, 300, 0};
    ChainModel longer = shorter;
    longer.length = ChainModel::kLongest;
    const Rational ratio(7, 8);
    const double found = loss_of(longer, ratio);
    EXPECT_NEAR(found, loss_of(shorter, ratio), 1e-11);
    EXPECT_NEAR(found, rounded_log(brute_transfer({{"0", "1"}, shorter.chains, 60, 0}, ratio)), 1e-8);
  }
}

// A chain that never forgets: every state costs.
TEST(ChainTransfer, OfAPeriodicChainIsTheWholeSequence) {
  const ChainModel model{{"0", "1"}, {chain_of_two(0, 0, std::nullopt)}, 1000, 0};
  const Rational ratio(999, 1000);
  const Interval truth = Interval(Integer(1000), 128) * log(Interval(Rational(1 / ratio), 128));
  EXPECT_GE(loss_of(model, ratio), truth.lower());
  EXPECT_NEAR(loss_of(model, ratio), truth.upper(), 1e-14);
}

TEST(ChainTransfer, OfIndependentStatesCostsOneState) {
  const ChainModel model{{"0", "1"}, {chain_of_two(30, 70, std::nullopt)}, 100'000, 0};
  EXPECT_NEAR(loss_of(model, Rational(1, 2)), std::log(2), 1e-11);
}

TEST(ChainTransfer, WhereNothingIsSecretNeedsNoNoise) {
  const ChainModel sure{{"0", "1"}, {chain_of_two(100, 0, std::nullopt)}, 10, 0};
  EXPECT_EQ(loss_of(sure, Rational(0)), 0);
  const ChainModel open{{"0", "1"}, {chain_of_two(50, 20, std::nullopt)}, 10, 0};
  EXPECT_EQ(loss_of(open, Rational(0)), HUGE_VAL);
}

// States that are not counted are told apart by what they pass on alone.
TEST(ChainTransfer, OfTwoStatesThatAreNotCountedIsWhatTheyPassOn) {
  const std::vector<Rational> row{Rational(1, 3), Rational(1, 3), Rational(1, 3)};
  const ChainModel model{
      {"0", "1", "2"}, {{"chain", {row, row, row}, std::vector{row[0], row[0], row[0]}}}, 5, 0};
  const std::vector<Rational> odds = odds_of_change(model, Rational(1, 2));
  EXPECT_EQ(odds, (std::vector<Rational>{1, 2, 2, 2, 1, 1, 2, 1, 1}));
  const TransferLoss found = transfer_loss(model, odds, ChainPlace{0, 2, {1, 2}}, {});
  EXPECT_NEAR(found.loss, std::log(2), 1e-12);
  EXPECT_NEAR(found.at_named, 0, 1e-12);
}

// What is never counted needs no noise; and what takes ever less of it does not take none.
TEST(ChainTransfer, WithoutNoiseIsTheLimitOfEverLess) {
  const std::vector<Rational> row{Rational(0), Rational(1, 3), Rational(2, 3)};
  const ChainModel model{{"0", "1", "2"}, {{"chain", {row, row, row}, std::nullopt}}, 5, 0};
  EXPECT_LT(loss_of(model, Rational(0)), 1e-12);
  ChainModel counted = model;
  counted.counted = 1;
  EXPECT_EQ(loss_of(counted, Rational(0)), HUGE_VAL);
  counted.counted = 0;
  counted.chains[0].transition = {{Rational(0), Rational(1, 2), Rational(1, 2)},
                                  {Rational(0), Rational(1, 2), Rational(1, 2)},
                                  {Rational(0), Rational(1), Rational(0)}};
  EXPECT_LT(loss_of(counted, Rational(0)), 1e-12);
}

// States of 1,000 times that never change, and more of them than are stepped through: the whole sequence.
TEST(ChainTransfer, OfManyStatesTakesNoLongerThanItMay) {
  const size_t states = 50;
  ChainModel model;
  model.length = 1000;
  model.counted = 0;
  MarkovChain chain{"chain", {}, std::vector<Rational>(states, Rational(1, 50))};
  for (size_t x = 0; x < states; ++x) {
    model.states.push_back(std::to_string(x));
    chain.transition.emplace_back(states, Rational(0));
    chain.transition.back()[x] = 1;
  }
  model.chains = {chain};
  EXPECT_NEAR(loss_of(model, Rational(999, 1000)), 1000 * std::log(1000.0 / 999), 1e-9);
}

// A mixture of two listed chains is another belief, and is not covered: X_t tells which one it is.
TEST(ChainTransfer, DoesNotCoverMixturesOfTheListedChains) {
  ChainModel model{
      {"0", "1"}, {chain_of_two(10, 90, std::nullopt), chain_of_two(90, 10, std::nullopt)}, 12, 0};
  model.chains[1].name = "other";
  const Rational ratio(9, 10);
  EXPECT_NEAR(loss_of(model, ratio), std::log(10.0 / 9), 1e-11);
  // P(count of zeros = 12, X_1) under the half/half mixture, without noise but for one factor at each count.
  std::vector<double> given(2, 0), whole(2, 0);
  for (const double zero : {0.1, 0.9}) {
    for (int others = 0; others <= 11; ++others) {
      const double mass = std::tgamma(12) / std::tgamma(others + 1) / std::tgamma(12 - others) *
                          std::pow(zero, others) * std::pow(1 - zero, 11 - others);
      given[0] += zero * mass * std::pow(0.9, 12 - others - 1);
      given[1] += (1 - zero) * mass * std::pow(0.9, 12 - others);
    }
    whole[0] += zero;
    whole[1] += 1 - zero;
  }
  EXPECT_GT(std::log(given[0] / whole[0] * whole[1] / given[1]), 2 * loss_of(model, ratio));
}

}  // namespace
}  // namespace fugu
