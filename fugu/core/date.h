// Days of the calendar: texts, and the units that they are counted in.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace fugu::inline in_core {

// How a day is written. Any may have a time of day behind it, which is not read.
enum class DateForm : uint8_t {
  kIso,         // 2024-03-31
  kDotted,      // 31.03.2024
  kDayFirst,    // 31/03/2024
  kMonthFirst,  // 03/31/2024
};
inline constexpr DateForm kDateForms[] = {DateForm::kIso, DateForm::kDotted, DateForm::kDayFirst,
                                          DateForm::kMonthFirst};

enum class DateUnit : uint8_t { kDay, kWeek, kMonth, kYear };
inline constexpr DateUnit kDateUnits[] = {DateUnit::kDay, DateUnit::kWeek, DateUnit::kMonth, DateUnit::kYear};

// "iso", "dotted", "dmy", "mdy"; "day", "week", "month", "year".
const char* word_of(DateForm form);
const char* word_of(DateUnit unit);
std::optional<DateForm> date_form_named(std::string_view word);
std::optional<DateUnit> date_unit_named(std::string_view word);

// Days since 1970-01-01, of the years 1 to 9999. Nullopt for any other text: nothing may stand before or
// behind, but a time of day ("T12:30", " 12:30:05.25+02:00"); the day is taken as it is written.
std::optional<int64_t> parse_date(std::string_view text, DateForm form);
// Precondition: between kFirstDay and kLastDay.
std::string date_text(int64_t day, DateForm form);

inline constexpr int64_t kFirstDay = -719162;  // 0001-01-01
inline constexpr int64_t kLastDay = 2932896;   // 9999-12-31

// How many units after that of 1970-01-01 a day lies; weeks begin on Monday. And back: the first day.
int64_t unit_of_day(int64_t day, DateUnit unit);
int64_t first_day_of(int64_t units, DateUnit unit);

}  // namespace fugu::inline in_core
