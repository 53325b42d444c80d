#include "fugu/core/date.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace fugu {
namespace {

// Days are counted one by one, over four centuries.
TEST(Date, EveryDayHasItsTextAndItsUnits) {
  int64_t year = 1800, month = 1, day = 1;
  const auto first = parse_date("1800-01-01", DateForm::kIso);
  ASSERT_TRUE(first);
  int64_t week = unit_of_day(*first, DateUnit::kWeek), weekday = ((*first + 3) % 7 + 7) % 7;
  for (int64_t at = *first; year < 2200; ++at) {
    const std::string text = fmt::format("{:04}-{:02}-{:02}", year, month, day);
    ASSERT_EQ(date_text(at, DateForm::kIso), text);
    for (DateForm form : kDateForms) ASSERT_EQ(parse_date(date_text(at, form), form), at) << text;
    ASSERT_EQ(unit_of_day(at, DateUnit::kYear), year - 1970) << text;
    ASSERT_EQ(unit_of_day(at, DateUnit::kMonth), 12 * (year - 1970) + month - 1) << text;
    ASSERT_EQ(unit_of_day(at, DateUnit::kWeek), week) << text;
    for (DateUnit unit : kDateUnits) {
      const int64_t begin = first_day_of(unit_of_day(at, unit), unit);
      ASSERT_LE(begin, at);
      ASSERT_EQ(unit_of_day(begin, unit), unit_of_day(at, unit));
      ASSERT_NE(unit_of_day(begin - 1, unit), unit_of_day(at, unit));
    }
    week += ++weekday == 7 ? 1 : 0;
    weekday %= 7;
    const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    const int64_t length = month == 2                                              ? (leap ? 29 : 28)
                           : month == 4 || month == 6 || month == 9 || month == 11 ? 30
                                                                                   : 31;
    if (++day > length) day = 1, ++month;
    if (month > 12) month = 1, ++year;
  }
}

TEST(Date, TheCalendarEnds) {
  EXPECT_EQ(date_text(kFirstDay, DateForm::kIso), "0001-01-01");
  EXPECT_EQ(date_text(kLastDay, DateForm::kIso), "9999-12-31");
  for (DateUnit unit : kDateUnits) EXPECT_GE(first_day_of(unit_of_day(kFirstDay, unit), unit), kFirstDay);
}

TEST(Date, OtherTextsAreNone) {
  for (const char* text :
       {"", "2024", "2024-3-1", "24-03-01", "2024-02-30", "2023-02-29", "0000-01-01", "2024-13-01",
        "2024-03-31x", "2024-03-31 ", "2024-03-31T", "2024-03-31T25:99", " 2024-03-31", "20240331",
        "2024-03-31 12:30 noon", "2024-03-31T12:30:00.Z", "2024-03-31T12:30+2:00"})
    EXPECT_FALSE(parse_date(text, DateForm::kIso)) << text;
  EXPECT_FALSE(parse_date("31.03.24", DateForm::kDotted));
  EXPECT_FALSE(parse_date("13/31/2024", DateForm::kMonthFirst));
  EXPECT_EQ(parse_date("3/31/2024", DateForm::kMonthFirst), parse_date("31.3.2024", DateForm::kDotted));
  for (const char* time :
       {"T12:30", " 12:30:00", "T12:30:00.123456789Z", " 1:05+0200", "T24:00", "T12:30:60 -05"})
    EXPECT_TRUE(parse_date("2024-03-31" + std::string(time), DateForm::kIso)) << time;
}

}  // namespace
}  // namespace fugu
