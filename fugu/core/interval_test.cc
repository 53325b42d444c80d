#include "fugu/core/interval.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "tests/support/exp_bounds.h"

namespace fugu {
namespace {

bool holds(const Interval& interval, const Rational& value) {
  Interval point(value, 4096);
  return !certainly_less(interval, point) && !certainly_less(point, interval);
}

// Every operation's interval holds the exact result, at a precision so low that rounding shows.
RC_GTEST_PROP(IntervalProperty, HoldsTheExactResult,
              (int32_t a_top, uint16_t a_bottom, int32_t b_top, uint16_t b_bottom)) {
  const Rational a(a_top, Integer(a_bottom) + 1), b(b_top, Integer(b_bottom) + 1);
  const Interval x(a, 20), y(b, 20);
  RC_ASSERT(holds(x + y, Rational(a + b)));
  RC_ASSERT(holds(x - y, Rational(a - b)));
  RC_ASSERT(holds(x * y, Rational(a * b)));
  if (b != 0) RC_ASSERT(holds(x / y, Rational(a / b)));
  if (a >= 0) RC_ASSERT(holds(pow(x, 5), Rational(a * a * a * a * a)));
}

RC_GTEST_PROP(IntervalProperty, ExpHoldsTheSeries, ()) {
  const Rational x(*rc::gen::inRange(-3000, 3000), *rc::gen::inRange(1, 300));
  auto bounds = testing::exp_bounds(x, 100);
  Interval value = exp(Interval(x, 80));
  RC_ASSERT(!certainly_less(value, Interval(bounds.low, 400)));
  RC_ASSERT(!certainly_less(Interval(bounds.high, 400), value));
  RC_ASSERT(holds(log(exp(Interval(x, 80))), x));
}

TEST(Interval, DoesNotUnderflow) {
  Interval tiny = pow(Interval(Rational(1, 1000), 64), 1000000000);
  EXPECT_FALSE(tiny.is_zero());
  EXPECT_TRUE(certainly_less(Interval(64), tiny));
  EXPECT_TRUE(pow(Interval(64), 3).is_zero());
}

TEST(Interval, CeilScaledRoundsUp) {
  EXPECT_EQ(Interval(Rational(1, 3), 200).ceil_scaled(2), 2);
  EXPECT_EQ(Interval(Rational(1, 4), 200).ceil_scaled(2), 1);
}

TEST(Interval, DecisionsAreExactAtTheEnds) {
  Interval one(Integer(1), 64), other(Integer(1), 64);
  EXPECT_TRUE(certainly_at_most(one, other));
  EXPECT_FALSE(certainly_less(one, other));
}

}  // namespace
}  // namespace fugu
