#include "fugu/scenario/reading.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "fugu/core/error.h"

namespace fugu {
namespace {

Reading numbers(const char* word) { return {.numbers = *number_form_named(word)}; }

TEST(Reading, NumbersAsPeopleWriteThem) {
  EXPECT_EQ(numbers("comma").number("1.234.567,50"), Rational(123456750, 100));
  EXPECT_EQ(numbers("comma").number("-0,5"), Rational(-1, 2));
  EXPECT_EQ(numbers("comma").number("1.234"), 1234);
  EXPECT_EQ(numbers("comma").number("1\u00a0234,5"), Rational(2469, 2));
  EXPECT_EQ(numbers("thousands").number("1,234,567.5"), Rational(2469135, 2));
  EXPECT_EQ(numbers("thousands").number("1'234.5"), Rational(2469, 2));
  EXPECT_EQ(numbers("thousands").number("1234.5"), Rational(2469, 2));
  EXPECT_EQ(numbers("percent").number("29 %"), 29);
  EXPECT_EQ(numbers("comma-percent").number("29,5%"), Rational(59, 2));
}

TEST(Reading, OtherTextsAreNoNumbers) {
  for (const char* text :
       {"", ",5x", "1,2,3", "1.23,5", "1.2345", "12,", "1e3", "1. 234", "1234.567", "1 234.567"})
    EXPECT_FALSE(numbers("comma").has_form(text)) << text;
  for (const char* text : {"1,23", "1,2345", "12,34,567", "1234,567", "1,234 567"})
    EXPECT_FALSE(numbers("thousands").has_form(text)) << text;
  for (const char* text : {"29", "%", "29%%", "29,5%"})
    EXPECT_FALSE(numbers("percent").has_form(text)) << text;
}

RC_GTEST_PROP(ReadingProperty, WhatIsWrittenIsReadAgain, ()) {
  const char* word =
      *rc::gen::element("plain", "comma", "thousands", "percent", "comma-percent", "thousands-percent");
  const Rational number(*rc::gen::inRange(-5'000'000, 5'000'000), *rc::gen::element(1, 2, 100));
  const Reading reading = numbers(word);
  RC_ASSERT(reading.number(reading.text(number)) == number);
  const Reading again = reading_from_json(reading_to_json(reading), "r");
  RC_ASSERT(again == reading);
}

RC_GTEST_PROP(ReadingProperty, DatesAreTheFirstDayOfTheirUnit, ()) {
  const Reading reading{
      .date = DateReading{kDateForms[*rc::gen::inRange(0, 4)], kDateUnits[*rc::gen::inRange(0, 4)]}};
  const int64_t day = *rc::gen::inRange(kFirstDay, kLastDay);
  const Rational unit(unit_of_day(day, reading.date->unit));
  RC_ASSERT(reading.number(date_text(day, reading.date->form)) == unit);
  RC_ASSERT(reading.number(reading.text(unit)) == unit);
  RC_ASSERT(need_value(reading, value_to_json(reading, unit), "v") == unit);
  RC_ASSERT(reading_from_json(reading_to_json(reading), "r") == reading);
}

TEST(Reading, BeyondTheCalendarIsItsEnd) {
  const Reading reading{.date = DateReading{}};
  EXPECT_EQ(reading.text(Rational(Integer(1) << 62)), "9999-12-31");
  EXPECT_EQ(reading.text(Rational(-(Integer(1) << 62))), "0001-01-01");
}

TEST(Reading, JsonThatIsNone) {
  for (const char* text :
       {R"({})", R"({"date": "iso", "number": "comma"})", R"({"date": "ymd"})", R"({"number": "roman"})",
        R"({"date": "iso", "unit": "hour"})", R"({"dates": "iso"})"})
    EXPECT_THROW(reading_from_json(parse_json(text, "r"), "r"), Error) << text;
}

}  // namespace
}  // namespace fugu
