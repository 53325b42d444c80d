#include "fugu/calibrate/chain.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>

#include "fugu/calibrate/quilt_loss.h"
#include "fugu/mechanism/laplace.h"
#include "fugu/verify/verify_model.h"
#include "tests/support/model_refusal.h"
#include "tests/support/random_chain.h"
#include "tests/support/random_crowd.h"

namespace fugu {
namespace {

using testing::budget_of;
using testing::refusal;

// P(1|1) = p, P(1|0) = q, in tenths; stationary.
ChainModel two_states(int p, int q, uint64_t length) {
  MarkovChain chain{"chain",
                    {{Rational(10 - q, 10), Rational(q, 10)}, {Rational(10 - p, 10), Rational(p, 10)}},
                    std::nullopt};
  return {{"0", "1"}, {chain}, length, 1};
}

ChainModel small_song() {
  MarkovChain chain{"chain",
                    {{Rational(9, 10), Rational(1, 10)}, {Rational(4, 10), Rational(6, 10)}},
                    std::vector<Rational>{Rational(8, 10), Rational(2, 10)}};
  return {{"0", "1"}, {chain}, 3, 1};
}

TEST(ChainCalibration, SmallKnownAnswer) {
  const ModelPlan plan = calibrate(small_song(), budget_of("10"), "quilt");
  EXPECT_NEAR(plan.noise.scale->value, 0.155849, 5e-7);
  EXPECT_NO_THROW(verify(plan));
  const QuiltPeak peak = best_quilts(small_song(), {})->at(1 / 0.155849);
  EXPECT_NEAR(peak.influence, std::log(36), 1e-12);
}

TEST(ChainCalibration, KnownAnswersOfLengthHundred) {
  const struct {
    int p, q;
    double quilt, transfer, exact;
  } cases[] = {{6, 4, 3.572, 1.467, 1.467},
               {7, 3, 6.724, 2.257, 2.257},
               {8, 2, 13.08, 3.849, 3.849},
               {9, 1, 31.74, 8.640, 8.640},
               {2, 6, 7.168, 2.329, 0.745}};  // what alternates cancels out, which the exact law alone sees
  for (const auto& one : cases) {
    SCOPED_TRACE(one.p);
    const ChainModel model = two_states(one.p, one.q, 100);
    const ModelPlan quilt = calibrate(model, budget_of("1"), "quilt");
    const ModelPlan exact = calibrate(model, budget_of("1"), "exact");
    const ModelPlan transfer = calibrate(model, budget_of("1"), "transfer");
    const ModelPlan approx = calibrate(model, budget_of("1"), "quilt-approx");
    const ModelPlan group = calibrate(model, budget_of("1"), "group");
    EXPECT_NEAR(quilt.noise.scale->value, one.quilt, 6e-4 * one.quilt);
    EXPECT_NEAR(exact.noise.scale->value, one.exact, 6e-4 * one.exact);
    EXPECT_GE(transfer.noise.scale->value, exact.noise.scale->value * (1 - 1e-9));
    EXPECT_NEAR(transfer.noise.scale->value, one.transfer, 6e-4 * one.transfer);
    EXPECT_GE(approx.noise.scale->value, quilt.noise.scale->value);
    EXPECT_GE(group.noise.scale->value, approx.noise.scale->value * (1 - 1e-12));
    EXPECT_NEAR(group.noise.scale->value, 100, 1e-9);
    for (const ModelPlan& plan : {quilt, transfer, exact, approx, group}) EXPECT_NO_THROW(verify(plan));
  }
}

// The chains of Song, Wang and Chaudhuri's experiments: 25 of two states.
TEST(ChainCalibration, NeedsAThirdOfTheQuiltsNoiseByTransfer) {
  std::vector<double> ratios;
  for (int p = 1; p <= 9; p += 2) {
    for (int q = 1; q <= 9; q += 2) {
      const ChainModel model = two_states(p, q, 100);
      ratios.push_back(calibrate(model, budget_of("1"), "quilt").noise.scale->value /
                       calibrate(model, budget_of("1"), "transfer").noise.scale->value);
    }
  }
  std::sort(ratios.begin(), ratios.end());
  EXPECT_GE(ratios.front(), 1 - 1e-9);
  EXPECT_GE(ratios[ratios.size() / 2], 2.9);
}

// Never more noise than by quilts, whatever the states and what is counted.
RC_GTEST_PROP(ChainCalibration, NeedsNoMoreNoiseByTransferThanByQuilts, ()) {
  ChainModel model = testing::random_model(9);
  if (*rc::gen::inRange(0, 2)) model.counted.reset();
  const Budget budget = budget_of(*rc::gen::element("0.1", "1", "3"));
  RC_ASSERT(calibrate(model, budget, "transfer").noise.scale->value <=
            calibrate(model, budget, "quilt").noise.scale->value * (1 + 1e-9));
}

TEST(ChainCalibration, OfTheExampleIsTheSameAtEveryLength) {
  const ChainModel model{
      {"off", "on"},
      {{"restless", {{Rational(7, 10), Rational(3, 10)}, {Rational(3, 10), Rational(7, 10)}}, std::nullopt},
       {"steady",
        {{Rational(9, 10), Rational(1, 10)}, {Rational(2, 10), Rational(8, 10)}},
        std::vector<Rational>{Rational(1, 2), Rational(1, 2)}}},
      100,
      1};
  for (const uint64_t length : {100, 10'000, 1'000'000}) {
    ChainModel longer = model;
    longer.length = length;
    const ModelPlan plan = calibrate(longer, budget_of("1"), "transfer");
    EXPECT_NEAR(plan.noise.scale->value, 5.912947, 5e-7);
    EXPECT_EQ(refusal(plan), "");
  }
}

constexpr const char* kMethods[] = {"group", "quilt-approx", "quilt", "transfer", "exact"};

// The plan with other noise, and every number that follows from it.
ModelPlan with_scale(ModelPlan plan, double scale) {
  plan.noise = Laplace().at(Scale{scale}, plan.lattice(), 0);
  plan.mse = mean_square_error(plan.model, plan.noise);
  return plan;
}

// The search and the proof are two computations: what the first finds and says, the second bears out, and a
// little less noise it refuses.
RC_GTEST_PROP(ChainCalibration, IsBorneOutByTheVerifierAndLessNoiseIsNot, ()) {
  const ChainModel model = testing::random_model(9);
  for (const char* method : kMethods) {
    const ModelPlan plan = calibrate(model, budget_of(*rc::gen::element("0.1", "1", "3")), method);
    RC_ASSERT(refusal(plan).empty());
    if (plan.noise.is_none()) continue;
    const ModelPlan less = with_scale(plan, plan.noise.scale->value * (1 - 1e-9));
    RC_ASSERT(refusal(less).find("by more than the budget") != std::string::npos);
  }
}

// A loss may be stated larger than it is, never smaller; and at the place where it is.
TEST(ChainCalibration, StatesALossThatIsNotBelowTheProvedOne) {
  for (const char* method : {"quilt-approx", "quilt", "transfer", "exact"}) {
    SCOPED_TRACE(method);
    const ModelPlan found = calibrate(small_song(), budget_of("10"), method);
    const ModelPlan plan = with_scale(found, 2 * found.noise.scale->value);
    EXPECT_EQ(refusal(plan), "the plan does not verify: the witness is not where the loss is largest")
        << "the loss of another noise";
    ModelPlan proved = plan;
    proved.witness = prove(plan.model, plan.budget, plan.method, plan.noise).witness;
    EXPECT_EQ(refusal(proved), "");
    const double loss = *proved.witness.loss;
    EXPECT_LT(loss, 9);
    auto stated = [&](double other) {
      ModelPlan forged = proved;
      forged.witness.loss = other;
      return refusal(forged).empty();
    };
    EXPECT_TRUE(stated(loss * (1 + 1e-12)));
    EXPECT_FALSE(stated(std::nextafter(loss, 0)));
    EXPECT_FALSE(stated(loss / 2));
    EXPECT_FALSE(stated(10.001));
    for (const char* place : {"time 2", "time 4", "time 1 of chain", "nowhere", ""}) {
      if (place == proved.witness.place) continue;
      ModelPlan elsewhere = proved;
      elsewhere.witness.place = place;
      EXPECT_NE(refusal(elsewhere), "") << place;
    }
    ModelPlan paired = proved;
    paired.witness.pair = {"0", "0"};
    EXPECT_NE(refusal(paired), "");
    paired.witness = proved.witness;
    paired.witness.delta = 0;
    EXPECT_NE(refusal(paired), "");
  }
}

}  // namespace
}  // namespace fugu
