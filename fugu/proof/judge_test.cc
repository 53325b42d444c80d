#include "fugu/proof/judge.h"

#include <gtest/gtest.h>

#include <cmath>

namespace fugu {
namespace {

constexpr Bits kJudgeBits = 128;

Interval between(double low, double high) { return Interval(low, high, kJudgeBits); }

LossPeak peak_at(int64_t output) {
  LossPeak peak;
  peak.output = output;
  return peak;
}

// Judges ratios to 1, which stand at the outputs 0, 1, ….
Judge judge_of(double epsilon, std::initializer_list<Interval> ratios) {
  Judge judge(between(epsilon, epsilon));
  int64_t output = 0;
  for (const Interval& ratio : ratios) judge.weigh(ratio, between(1, 1), peak_at(output++));
  return judge;
}

void expect_peak(const Judge& judge, bool holds, int64_t output, double ratio) {
  const auto decision = judge.decision();
  ASSERT_TRUE(decision);
  EXPECT_EQ(decision->holds, holds);
  EXPECT_EQ(decision->peak.output, output);
  EXPECT_FALSE(decision->peak.infinite);
  EXPECT_GE(decision->peak.upper, std::log(ratio));
  EXPECT_LE(decision->peak.upper, std::log(ratio) * (1 + 1e-15));
}

// What is stated is a bound of every ratio, so the largest upper end counts, not the largest lower one.
TEST(Judge, StatesTheLargestUpperEnd) {
  expect_peak(judge_of(2, {between(1, 3), between(2, 2.5)}), true, 0, 3);
  expect_peak(judge_of(2, {between(2, 2.5), between(1, 3)}), true, 1, 3);
  expect_peak(judge_of(0.25, {between(2, 9), between(3, 4)}), false, 0, 9);
  expect_peak(judge_of(0.25, {between(3, 4), between(2, 9)}), false, 1, 9);
}

TEST(Judge, WhatIsLargerSomewhereIsNotMadeUpForElsewhere) {
  expect_peak(judge_of(1, {between(1, 2), between(3, 3), between(1, 2)}), false, 1, 3);
  expect_peak(judge_of(1, {between(3, 3), between(1, 4)}), false, 0, 3);
}

TEST(Judge, WhatCannotBeToldIsUndecidedOrANo) {
  const Judge judge = judge_of(1, {between(2, 3), between(1, 2)});
  EXPECT_FALSE(judge.decision());
  const auto unsure = judge.decision(true);
  ASSERT_TRUE(unsure);
  EXPECT_FALSE(unsure->holds);
  EXPECT_EQ(unsure->peak.output, 0);
  EXPECT_TRUE(judge_of(1, {between(1, 2)}).decision(true)->holds);
}

TEST(Judge, AnOutputOfOneSecretOnlyIsInfinite) {
  const Interval none(kJudgeBits);
  Judge judge(between(50, 50));
  judge.weigh(none, none, peak_at(0));
  EXPECT_TRUE(judge.decision()->holds);
  judge.weigh(between(1, 1), none, peak_at(1));
  judge.weigh(between(1, 1), none, peak_at(2));
  judge.weigh(Interval(Integer(1) << 100, kJudgeBits), between(1, 1), peak_at(3));
  const auto decision = judge.decision();
  EXPECT_FALSE(decision->holds);
  EXPECT_TRUE(decision->peak.infinite);
  EXPECT_EQ(decision->peak.output, 1);
}

// A loss is never negative, also where all the masses of one secret are the smaller ones.
TEST(Judge, TheBoundIsNotNegative) { expect_peak(judge_of(1, {between(0.25, 0.5)}), true, 0, 1); }

}  // namespace
}  // namespace fugu
