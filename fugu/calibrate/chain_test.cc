#include "fugu/calibrate/chain.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>

#include "fugu/mechanism/laplace.h"
#include "fugu/models/chain_law.h"
#include "fugu/verify/chain_loss.h"
#include "fugu/verify/quilt_loss.h"
#include "fugu/verify/verify_model.h"
#include "tests/support/random_crowd.h"

namespace fugu {
namespace {

using testing::budget_of;

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
    double quilt, exact;
  } cases[] = {{6, 4, 3.572, 1.467},
               {7, 3, 6.724, 2.257},
               {8, 2, 13.08, 3.849},
               {9, 1, 31.74, 8.640},
               {2, 6, 7.168, 0.745}};
  for (const auto& one : cases) {
    SCOPED_TRACE(one.p);
    const ChainModel model = two_states(one.p, one.q, 100);
    const ModelPlan quilt = calibrate(model, budget_of("1"), "quilt");
    const ModelPlan exact = calibrate(model, budget_of("1"), "exact");
    const ModelPlan approx = calibrate(model, budget_of("1"), "quilt-approx");
    const ModelPlan group = calibrate(model, budget_of("1"), "group");
    EXPECT_NEAR(quilt.noise.scale->value, one.quilt, 6e-4 * one.quilt);
    EXPECT_NEAR(exact.noise.scale->value, one.exact, 6e-4 * one.exact);
    EXPECT_GE(approx.noise.scale->value, quilt.noise.scale->value);
    EXPECT_GE(group.noise.scale->value, approx.noise.scale->value * (1 - 1e-12));
    EXPECT_NEAR(group.noise.scale->value, 100, 1e-9);
    for (const ModelPlan& plan : {quilt, exact, approx, group}) EXPECT_NO_THROW(verify(plan));
  }
}

}  // namespace
}  // namespace fugu
