#include "fugu/audit/trials.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <vector>

namespace fugu {
namespace {

// P(exactly k of the rows) for rows with chances of their own, by convolution in exact rationals.
std::vector<Rational> law_of_sum(const std::vector<Rational>& chances) {
  std::vector<Rational> law{Rational(1)};
  for (const Rational& p : chances) {
    law.emplace_back(0);
    for (size_t k = law.size(); k-- > 0;)
      law[k] = law[k] * (1 - p) + (k > 0 ? Rational(law[k - 1] * p) : Rational(0));
  }
  return law;
}

Trials trials_of(const std::vector<Rational>& chances, size_t seen) {
  Trials trials;
  for (size_t row = 0; row < chances.size(); ++row)
    trials.add(row < seen, chance_of(Interval(chances[row], 128)));
  return trials;
}

// A rate of false alarms that is stated is never exceeded, whatever the rows' chances are.
RC_GTEST_PROP(Trials, RarityIsNeverBelowTheTruth, ()) {
  const auto rows = *rc::gen::inRange<size_t>(1, 14);
  std::vector<Rational> chances;
  for (size_t row = 0; row < rows; ++row) chances.emplace_back(*rc::gen::inRange(0, 33), 32);
  const auto law = law_of_sum(chances);
  for (size_t seen = 0; seen <= rows; ++seen) {
    Rational more = 0, fewer = 0;
    for (size_t k = 0; k <= rows; ++k) (k >= seen ? more : fewer) += law[k];
    fewer += law[seen];
    const Trials trials = trials_of(chances, seen);
    RC_ASSERT(exact(trials.rarity_of_many()) >= more);
    RC_ASSERT(exact(trials.rarity_of_few()) >= fewer);
  }
}

// Of equal chances it is the binomial tail itself, beyond the mean and one.
TEST(Trials, EqualChancesHaveTheBinomialTail) {
  const std::vector<Rational> chances(10, Rational(1, 4));
  EXPECT_NEAR(trials_of(chances, 8).rarity_of_many(), 436.0 / 1048576, 1e-12);
  EXPECT_NEAR(trials_of(chances, 1).rarity_of_few(), (59049.0 + 10 * 19683) / 1048576, 1e-9);
  EXPECT_EQ(trials_of(chances, 2).rarity_of_many(), 1);
  EXPECT_EQ(trials_of(chances, 3).rarity_of_few(), 1);
}

TEST(Trials, WhatCannotHappenHasNoChance) {
  EXPECT_EQ(trials_of({Rational(0), Rational(0)}, 1).rarity_of_many(), 0);
  EXPECT_EQ(trials_of({Rational(0), Rational(0)}, 0).rarity_of_many(), 1);
}

RC_GTEST_PROP(Trials, AgreementHoldsTheTruth, ()) {
  const Rational p(*rc::gen::inRange(0, 1001), 1000), q(*rc::gen::inRange(0, 1001), 1000);
  const Rational truth = p * q + (1 - p) * (1 - q);
  const Chance both = agreement(chance_of(Interval(p, 128)), chance_of(Interval(q, 128)));
  RC_ASSERT(exact(both.low) <= truth);
  RC_ASSERT(truth <= exact(both.high));
  RC_ASSERT(both.high - both.low < 1e-14);
}

}  // namespace
}  // namespace fugu
