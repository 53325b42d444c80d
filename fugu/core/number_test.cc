#include "fugu/core/number.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

namespace fugu {
namespace {

TEST(Number, DecimalsMeanWhatTheySay) {
  EXPECT_EQ(parse_decimal("0.225"), Rational(225, 1000));
  EXPECT_EQ(parse_decimal("-12.50"), Rational(-25, 2));
  EXPECT_EQ(parse_decimal("+3e2"), Rational(300));
  EXPECT_EQ(parse_decimal("1E-3"), Rational(1, 1000));
  EXPECT_EQ(parse_decimal(".5"), Rational(1, 2));
  EXPECT_EQ(parse_decimal("5."), Rational(5));
  EXPECT_EQ(parse_decimal("007"), Rational(7));
  EXPECT_EQ(parse_decimal("-0"), Rational(0));
  EXPECT_EQ(parse_decimal("0e999999999999999"), std::nullopt);
  EXPECT_NE(*parse_decimal("0.1"), exact(0.1));
}

TEST(Number, WhatIsNoDecimal) {
  for (const char* text :
       {"", "-", ".", "e5", "1e", "1e+", "1.2.3", "0x10", "1,5", " 1", "1 ", "nan", "inf", "1_000"}) {
    EXPECT_EQ(parse_decimal(text), std::nullopt) << text;
    EXPECT_FALSE(looks_like_decimal(text)) << text;
  }
}

TEST(Number, AbsurdExponentsAreRefusedQuickly) {
  for (const char* text : {"1e400", "1e-400", "1e99999999999999999999", "-1e309"}) {
    EXPECT_EQ(parse_decimal(text), std::nullopt) << text;
    EXPECT_TRUE(looks_like_decimal(text)) << text;
  }
  EXPECT_NE(parse_decimal("1e308"), std::nullopt);
}

TEST(Number, Fractions) {
  EXPECT_EQ(parse_number("1/3"), Rational(1, 3));
  EXPECT_EQ(parse_number("-2/6"), Rational(-1, 3));
  EXPECT_EQ(parse_number("0.5"), Rational(1, 2));
  EXPECT_EQ(parse_number("1/010"), Rational(1, 10));
  EXPECT_EQ(parse_number("-009/08"), Rational(-9, 8));
  EXPECT_EQ(parse_number("00/1"), Rational(0));
  const std::string nines(static_cast<size_t>(kMaxExponent + 1), '9');
  EXPECT_EQ(parse_number(nines + "/1"), parse_number(nines));
  EXPECT_NE(parse_number(nines), std::nullopt);
  EXPECT_EQ(parse_number("3" + nines + "/3"), std::nullopt) << "no decimal could be as large";
  for (const char* text : {"1/0", "1/", "/3", "1/-3", "0.5/2", "1/3/4", "1 / 3", "--1/3"}) {
    EXPECT_EQ(parse_number(text), std::nullopt) << text;
  }
}

TEST(Number, TextIsShortAndExact) {
  EXPECT_EQ(to_text(Rational(225, 1000)), "0.225");
  EXPECT_EQ(to_text(Rational(-5, 1000)), "-0.005");
  EXPECT_EQ(to_text(Rational(1200)), "1200");
  EXPECT_EQ(to_text(Rational(1, 3)), "1/3");
  EXPECT_EQ(to_text(0.1), "0.1");
  EXPECT_EQ(to_text(4.0), "4");
  EXPECT_EQ(to_text(1e-5), "1e-05");
}

RC_GTEST_PROP(NumberProperty, TextReadsBack, (int64_t top, uint32_t bottom)) {
  Rational value(top, Integer(bottom) + 1);
  RC_ASSERT(parse_number(to_text(value)) == value);
}

RC_GTEST_PROP(NumberProperty, RoundingIsOutwardAndTight, (int64_t top, uint32_t bottom)) {
  Rational value(top, Integer(bottom) + 1);
  double up = round_up(value), down = round_down(value);
  RC_ASSERT(exact(down) <= value);
  RC_ASSERT(value <= exact(up));
  RC_ASSERT(up == down || up == std::nextafter(down, HUGE_VAL));
}

TEST(Number, WholeNumbers) {
  EXPECT_EQ(floor(Rational(-7, 2)), -4);
  EXPECT_EQ(round_half_up(Rational(5, 2)), 3);
  EXPECT_EQ(round_half_up(Rational(-5, 2)), -2);
  EXPECT_EQ(to_integer((Wide(7) << 64) + 5), (Integer(7) << 64) + 5);
}

}  // namespace
}  // namespace fugu
