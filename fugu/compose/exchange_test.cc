#include "fugu/compose/exchange.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/support/brute_force.h"

namespace fugu {
namespace {

constexpr Bits kBits = 192;

Noise any_noise() {
  Noise noise = no_noise("test");
  const auto reach = *rc::gen::inRange<size_t>(0, 4);
  noise.weights.clear();
  for (size_t k = 0; k < 2 * reach + 1; ++k) {
    const bool must = k == 0 || k == reach || k == 2 * reach;
    noise.weights.emplace_back(*rc::gen::inRange(must ? 1 : 0, 9));
  }
  noise.tail = {Integer(*rc::gen::inRange(0, 4)), 3};
  return noise;
}

bool holds(const Interval& bounds, const Rational& truth) {
  const Interval exact(truth, kBits);
  return !certainly_less(bounds, exact) && !certainly_less(exact, bounds);
}

RC_GTEST_PROP(ExchangeProperty, OfNoiseByDefinition, ()) {
  const Noise noise = any_noise();
  const int64_t from = *rc::gen::inRange<int64_t>(-5, 5), to = *rc::gen::inRange<int64_t>(-5, 5);
  const Rational epsilon(*rc::gen::inRange(1, 20), 10);
  const testing::Bounds growth = testing::exp_bounds(epsilon);
  const Rational total = total_weight(noise);
  Rational kept(1), least_excess(0), most_excess(0);
  constexpr int64_t kFar = 60;
  for (int64_t y = -kFar; y <= kFar; ++y) {
    const Rational left = testing::weight_at(noise, y - from), right = testing::weight_at(noise, y - to);
    if (left > 0) kept = std::min(kept, Rational(right / left));
    least_excess += std::max(Rational(0), Rational(left - growth.high * right));
    most_excess += std::max(Rational(0), Rational(left - growth.low * right));
  }
  Exchange exchange(noise, epsilon, kBits);
  RC_ASSERT(holds(exchange.kept(from, to), kept));
  RC_ASSERT(holds(exchange.kept(from, to), kept));  // the same when asked again
  const Interval excess = exchange.excess(from, to);
  RC_ASSERT(!certainly_less(excess, Interval(Rational(least_excess / total), kBits)));
  // Beyond the window there is next to nothing: at most both tails.
  const Rational rest(1, Integer(1) << 40);
  RC_ASSERT(!certainly_less(Interval(Rational(most_excess / total + rest), kBits), excess));
}

TEST(Exchange, OfAChannelByDefinition) {
  const Channel channel{{1, 2}, {5, 7}, {{Integer(3), Integer(1)}, {Integer(1), Integer(1)}}};
  Exchange exchange(channel, Rational(1, 10), kBits);
  EXPECT_TRUE(holds(exchange.kept(1, 2), Rational(2, 3)));
  EXPECT_TRUE(holds(exchange.kept(2, 1), Rational(1, 2)));
  EXPECT_TRUE(holds(exchange.kept(2, 2), Rational(1)));
  EXPECT_TRUE(exchange.kept(1, 3).is_zero());  // no row: nothing is known to be kept
  const double grown = exchange.excess(1, 2).upper();
  EXPECT_NEAR(grown, 0.75 - std::exp(0.1) * 0.5, 1e-15);
}

TEST(Exchange, WhatWouldTakeTooLongIsBoundedFromTheSafeSide) {
  Noise noise = no_noise("laplace");
  noise.tail = {Integer(1), 1};
  Exchange exchange(noise, Rational(1), kBits);
  EXPECT_EQ(exchange.excess(0, int64_t{1} << 40).upper(), 1);
  EXPECT_TRUE(exchange.kept(0, 3).certainly_positive());
}

}  // namespace
}  // namespace fugu
