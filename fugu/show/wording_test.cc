#include "fugu/show/wording.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <cstdlib>

namespace fugu {
namespace {

TEST(Wording, GroupsDigits) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(28856), "28,856");
  EXPECT_EQ(grouped(1234567), "1,234,567");
  EXPECT_EQ(counted(1, "row"), "1 row");
  EXPECT_EQ(counted(28856, "row"), "28,856 rows");
  EXPECT_EQ(counted(0, "row"), "0 rows");
}

TEST(Wording, RoundsUp) {
  EXPECT_EQ(rounded_up(0, 3), "0");
  EXPECT_EQ(rounded_up(0.5, 3), "0.5");
  EXPECT_EQ(rounded_up(0.7581, 3), "0.759");
  EXPECT_EQ(rounded_up(0.75899, 3), "0.759");
  EXPECT_EQ(rounded_up(0.9999, 3), "1");
}

TEST(Wording, LargeNumbersAreGrouped) {
  EXPECT_EQ(compact(3.5694, 4), "3.569");
  EXPECT_EQ(compact(33800.4, 4), "33,800");
  EXPECT_EQ(rounded_up(123456.1, 5), "123,457");
}

RC_GTEST_PROP(WordingProperty, RoundedUpIsNeverBelow, ()) {
  const int exponent = *rc::gen::inRange(-12, -1);
  const double value = *rc::gen::inRange(1, 1000000) * std::pow(10.0, exponent);
  const double shown = std::strtod(rounded_up(value, 3).c_str(), nullptr);
  RC_ASSERT(shown >= value);
  RC_ASSERT(shown <= value * 1.0101);
}

TEST(Wording, ControlCharactersStayOffTheTerminal) {
  EXPECT_EQ(printable("a\nb\x1b[31mc\x7f"), "a?b?[31mc?");
  EXPECT_EQ(printable("caf\xC3\xA9"), "caf\xC3\xA9");
  EXPECT_EQ(printable("x\xC2\x9By"), "x?y");
}

TEST(Wording, WhatTurnsTheDirectionIsSeen) {
  EXPECT_EQ(printable("a\xE2\x80\xAE"
                      "b\xE2\x81\xA9"),
            "a<U+202E>b<U+2069>");
  EXPECT_EQ(printable("\xD8\x9C\xE2\x80\x8E\xE2\x80\x8F\xE2\x80\xAA\xE2\x81\xA6"),
            "<U+061C><U+200E><U+200F><U+202A><U+2066>");
  EXPECT_EQ(printable("\xE2\x80\x93 \xE2\x81\xAA \xD8\x9D \xE2\x80"),
            "\xE2\x80\x93 \xE2\x81\xAA \xD8\x9D \xE2\x80");
}

TEST(Wording, WrapsAtBlanks) {
  EXPECT_EQ(wrapped("one two three", 8, 0), "one two\nthree");
  EXPECT_EQ(wrapped("one two three", 10, 4), "one\n    two\n    three");
  EXPECT_EQ(wrapped("one\n two", 20, 2), "one\n  two");
  EXPECT_EQ(wrapped("unbreakable", 4, 0), "unbreakable");
  EXPECT_EQ(wrapped("a \x1b[31mred\nthing", 80, 0), "a ?[31mred\nthing");
  EXPECT_EQ(text_width("caf\xC3\xA9"), 4U);
}

TEST(Wording, SeventeenDigits) {
  EXPECT_EQ(seventeen_digits(Rational(0)), "0");
  EXPECT_EQ(seventeen_digits(Rational(1)), "1");
  EXPECT_EQ(seventeen_digits(Rational(1, 4)), "0.25");
  EXPECT_EQ(seventeen_digits(Rational(-1, 8)), "-0.125");
  EXPECT_EQ(seventeen_digits(Rational(1, 3)), "0.33333333333333333");
  EXPECT_EQ(seventeen_digits(Rational(2, 3000)), "0.00066666666666666667");
  EXPECT_EQ(seventeen_digits(Rational(12345, 10)), "1234.5");
  EXPECT_EQ(seventeen_digits(Rational(1200)), "1200");
  EXPECT_EQ(seventeen_digits(Rational(Integer("123456789012345678901234567890"))), "1.2345678901234568e29");
  EXPECT_EQ(seventeen_digits(Rational(Integer(15), pow(Integer(10), 401))), "1.5e-400");
}

}  // namespace
}  // namespace fugu
