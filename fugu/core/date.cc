#include "fugu/core/date.h"

#include <fmt/format.h>

#include <chrono>

#include "fugu/core/letters.h"

namespace fugu::inline in_core {
namespace {

using std::chrono::day;
using std::chrono::days;
using std::chrono::month;
using std::chrono::sys_days;
using std::chrono::year;
using std::chrono::year_month_day;

constexpr int64_t kFirstMonday = -3;  // of the week of 1970-01-01, a Thursday

// Reads a text from its beginning.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : rest_(text) {}

  // So many digits, no sign.
  std::optional<int> number(size_t least, size_t most) {
    size_t size = 0;
    int value = 0;
    while (size < rest_.size() && size < most && is_digit(rest_[size]))
      value = 10 * value + (rest_[size++] - '0');
    if (size < least) return std::nullopt;
    rest_.remove_prefix(size);
    return value;
  }
  bool take(char c) {
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  bool at_end() const { return rest_.empty(); }

 private:
  std::string_view rest_;
};

bool below(const std::optional<int>& number, int end) { return number && *number < end; }

// "Z", "+02:00", "-0530", "+02", or nothing.
bool takes_zone(Scanner& scan) {
  scan.take(' ');
  if (scan.take('Z')) return true;
  if (!scan.take('+') && !scan.take('-')) return true;
  if (!below(scan.number(2, 2), 24)) return false;
  if (scan.take(':')) return below(scan.number(2, 2), 60);
  const auto minutes = scan.number(0, 2);
  return minutes.value_or(0) < 60;
}

// "12:30", with seconds, fractions and a zone or without.
bool takes_time(Scanner& scan) {
  if (!below(scan.number(1, 2), 25) || !scan.take(':') || !below(scan.number(2, 2), 60)) return false;
  if (scan.take(':')) {
    if (!below(scan.number(2, 2), 61)) return false;
    if (scan.take('.') && !scan.number(1, 9)) return false;
  }
  return takes_zone(scan);
}

struct Order {
  char sign;
  int year, month, day;  // which of the three numbers
};

Order order_of(DateForm form) {
  switch (form) {
    case DateForm::kIso:
      return {'-', 0, 1, 2};
    case DateForm::kDotted:
      return {'.', 2, 1, 0};
    case DateForm::kDayFirst:
      return {'/', 2, 1, 0};
    default:
      return {'/', 2, 0, 1};
  }
}

int64_t floor_div(int64_t a, int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

year_month_day civil(int64_t days_since) { return sys_days(days(days_since)); }

}  // namespace

const char* word_of(DateForm form) {
  constexpr const char* kWords[] = {"iso", "dotted", "dmy", "mdy"};
  return kWords[static_cast<size_t>(form)];
}

const char* word_of(DateUnit unit) {
  constexpr const char* kWords[] = {"day", "week", "month", "year"};
  return kWords[static_cast<size_t>(unit)];
}

std::optional<DateForm> date_form_named(std::string_view word) {
  for (DateForm form : kDateForms) {
    if (word == word_of(form)) return form;
  }
  return std::nullopt;
}

std::optional<DateUnit> date_unit_named(std::string_view word) {
  for (DateUnit unit : kDateUnits) {
    if (word == word_of(unit)) return unit;
  }
  return std::nullopt;
}

std::optional<int64_t> parse_date(std::string_view text, DateForm form) {
  const Order order = order_of(form);
  Scanner scan(text);
  int numbers[3];
  for (int k = 0; k < 3; ++k) {
    const bool is_year = k == order.year, iso = form == DateForm::kIso;
    const auto number = scan.number(is_year ? 4 : iso ? 2 : 1, is_year ? 4 : 2);
    if (!number || (k < 2 && !scan.take(order.sign))) return std::nullopt;
    numbers[k] = *number;
  }
  const year_month_day date(year(numbers[order.year]), month(static_cast<unsigned>(numbers[order.month])),
                            day(static_cast<unsigned>(numbers[order.day])));
  if (!date.ok() || date.year() < year(1)) return std::nullopt;
  if (!scan.at_end() && ((!scan.take('T') && !scan.take(' ')) || !takes_time(scan))) return std::nullopt;
  if (!scan.at_end()) return std::nullopt;
  return sys_days(date).time_since_epoch().count();
}

std::string date_text(int64_t days_since, DateForm form) {
  const year_month_day date = civil(days_since);
  const int y = static_cast<int>(date.year());
  const auto m = static_cast<unsigned>(date.month()), d = static_cast<unsigned>(date.day());
  switch (form) {
    case DateForm::kIso:
      return fmt::format("{:04}-{:02}-{:02}", y, m, d);
    case DateForm::kDotted:
      return fmt::format("{:02}.{:02}.{:04}", d, m, y);
    case DateForm::kDayFirst:
      return fmt::format("{:02}/{:02}/{:04}", d, m, y);
    default:
      return fmt::format("{:02}/{:02}/{:04}", m, d, y);
  }
}

int64_t unit_of_day(int64_t days_since, DateUnit unit) {
  if (unit == DateUnit::kDay) return days_since;
  if (unit == DateUnit::kWeek) return floor_div(days_since - kFirstMonday, 7);
  const year_month_day date = civil(days_since);
  const int64_t years = static_cast<int>(date.year()) - 1970;
  if (unit == DateUnit::kYear) return years;
  return 12 * years + static_cast<unsigned>(date.month()) - 1;
}

int64_t first_day_of(int64_t units, DateUnit unit) {
  if (unit == DateUnit::kDay) return units;
  if (unit == DateUnit::kWeek) return 7 * units + kFirstMonday;
  const int64_t months = unit == DateUnit::kYear ? 12 * units : units, years = floor_div(months, 12);
  const year_month_day date(year(static_cast<int>(1970 + years)),
                            month(static_cast<unsigned>(months - 12 * years + 1)), day(1));
  return sys_days(date).time_since_epoch().count();
}

}  // namespace fugu::inline in_core
