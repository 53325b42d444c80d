// How the texts of a column are read as numbers, and numbers written as such texts: plain decimals, decimals
// as people write them, days of the calendar.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "fugu/core/date.h"
#include "fugu/core/json.h"
#include "fugu/core/number.h"

namespace fugu::inline in_scenario {

struct NumberForm {
  enum Marks : uint8_t {
    kPlain,      // 1234.5
    kComma,      // 1234,5 and 1.234,5
    kThousands,  // 1,234.5 and 1 234.5
  } marks = kPlain;
  bool percent = false;  // 29%, 29 %: the number is 29
  friend bool operator==(const NumberForm&, const NumberForm&) = default;
};
// "plain", "comma", "thousands", "percent", "comma-percent", "thousands-percent".
std::string word_of(const NumberForm& form);
std::optional<NumberForm> number_form_named(std::string_view word);

// A day is the number of units since 1970-01-01; it is written as the unit's first day.
struct DateReading {
  DateForm form = DateForm::kIso;
  DateUnit unit = DateUnit::kDay;
  friend bool operator==(const DateReading&, const DateReading&) = default;
};

struct Reading {
  NumberForm numbers = {};
  std::optional<DateReading> date = {};  // then the numbers' form has no meaning

  // Nullopt for a text of another form, and for a number that is too large or too fine.
  std::optional<Rational> number(std::string_view text) const;
  // Whether the text has the form, whatever its size.
  bool has_form(std::string_view text) const;
  // Of dates the nearest within the calendar of years 1 to 9999, downwards to a whole unit.
  std::string text(const Rational& number) const;
  // The units of the first and the last date that can be written. Precondition: date.
  std::pair<int64_t, int64_t> calendar() const;
  bool is_plain() const { return *this == Reading{}; }
  friend bool operator==(const Reading&, const Reading&) = default;
};

// {"date": "iso", "unit": "day"} or {"number": "comma"}. Error (data) with `place`.
Json reading_to_json(const Reading& reading);
Reading reading_from_json(const Json& json, const std::string& place);

// A number of a column in JSON: of dates the text of the day, in ISO form; a number is read as well.
Json value_to_json(const Reading& reading, const Rational& number);
Rational need_value(const Reading& reading, const Json& json, const std::string& place);

}  // namespace fugu::inline in_scenario
