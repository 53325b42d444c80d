#include "fugu/scenario/reading.h"

#include <algorithm>
#include <array>

#include "fugu/core/json_read.h"
#include "fugu/core/letters.h"

namespace fugu::inline in_scenario {
namespace {

constexpr std::string_view kSpaces[] = {" ", "\u00a0", "\u202f"};

bool ends_with_space(std::string_view text, std::string_view& before) {
  for (std::string_view space : kSpaces) {
    if (!text.ends_with(space)) continue;
    before = text.substr(0, text.size() - space.size());
    return true;
  }
  return false;
}

// What stands between groups of three digits, where the text goes on with it.
std::string_view group_mark(std::string_view rest, NumberForm::Marks marks) {
  constexpr std::string_view kOthers[] = {" ", "\u00a0", "\u202f", "'", "\u2019"};
  const std::string_view own = marks == NumberForm::kComma ? "." : ",";
  if (rest.starts_with(own)) return own;
  for (std::string_view mark : kOthers) {
    if (rest.starts_with(mark)) return mark;
  }
  return {};
}

size_t digits_at(std::string_view text) {
  return static_cast<size_t>(std::find_if_not(text.begin(), text.end(), is_digit) - text.begin());
}

// The text of a plain decimal; nullopt for another form.
std::optional<std::string> plain_of(std::string_view text, const NumberForm& form) {
  if (form.percent) {
    if (!text.ends_with('%')) return std::nullopt;
    text.remove_suffix(1);
    ends_with_space(text, text);
  }
  if (form.marks == NumberForm::kPlain) return std::string(text);
  std::string plain;
  if (text.starts_with('-') || text.starts_with('+')) {
    plain = text.front();
    text.remove_prefix(1);
  }
  size_t digits = digits_at(text);
  plain += text.substr(0, digits);
  text.remove_prefix(digits);
  const std::string_view mark =
      digits >= 1 && digits <= 3 ? group_mark(text, form.marks) : std::string_view();
  while (!mark.empty() && text.starts_with(mark)) {
    text.remove_prefix(mark.size());
    if (digits_at(text) != 3) return std::nullopt;
    plain += text.substr(0, 3);
    text.remove_prefix(3);
  }
  if (!text.empty() && text.front() == (form.marks == NumberForm::kComma ? ',' : '.')) {
    plain += '.';
    text.remove_prefix(1);
    digits = digits_at(text);
    if (digits == 0) return std::nullopt;
    plain += text.substr(0, digits);
    text.remove_prefix(digits);
  }
  return text.empty() ? std::optional(plain) : std::nullopt;
}

constexpr std::string_view kMarks[] = {"plain", "comma", "thousands"};

}  // namespace

std::string word_of(const NumberForm& form) {
  const std::string marks(kMarks[form.marks]);
  if (!form.percent) return marks;
  return form.marks == NumberForm::kPlain ? "percent" : marks + "-percent";
}

std::optional<NumberForm> number_form_named(std::string_view word) {
  for (auto marks : {NumberForm::kPlain, NumberForm::kComma, NumberForm::kThousands}) {
    for (bool percent : {false, true}) {
      const NumberForm form{marks, percent};
      if (word_of(form) == word) return form;
    }
  }
  return std::nullopt;
}

std::optional<Rational> Reading::number(std::string_view text) const {
  if (date) {
    const auto day = parse_date(text, date->form);
    return day ? std::optional(Rational(unit_of_day(*day, date->unit))) : std::nullopt;
  }
  if (numbers == NumberForm{}) return parse_decimal(text);
  const auto plain = plain_of(text, numbers);
  return plain ? parse_decimal(*plain) : std::nullopt;
}

bool Reading::has_form(std::string_view text) const {
  if (date) return parse_date(text, date->form).has_value();
  if (numbers == NumberForm{}) return looks_like_decimal(text);
  const auto plain = plain_of(text, numbers);
  return plain && looks_like_decimal(*plain);
}

std::pair<int64_t, int64_t> Reading::calendar() const {
  return {unit_of_day(kFirstDay, date->unit), unit_of_day(kLastDay, date->unit)};
}

std::string Reading::text(const Rational& number) const {
  if (date) {
    const auto [first, last] = calendar();
    const Integer unit = std::clamp(floor(number), Integer(first), Integer(last));
    return date_text(first_day_of(static_cast<int64_t>(unit), date->unit), date->form);
  }
  std::string text = to_text(number);
  if (numbers.marks == NumberForm::kComma) std::replace(text.begin(), text.end(), '.', ',');
  return numbers.percent ? text + "%" : text;
}

Json reading_to_json(const Reading& reading) {
  Json json = Json::object();
  if (reading.date) {
    json.add("date", Json::string(word_of(reading.date->form)));
    json.add("unit", Json::string(word_of(reading.date->unit)));
  } else {
    json.add("number", Json::string(word_of(reading.numbers)));
  }
  return json;
}

Reading reading_from_json(const Json& json, const std::string& place) {
  check_keys(json, place, {"date", "unit", "number"});
  Reading reading;
  const Json *date = json.find("date"), *number = json.find("number");
  if (!date == !number)
    throw data_error(place, "this must be a date or a number",
                     "for example {\"date\": \"iso\", \"unit\": \"day\"}");
  if (number) {
    const auto form = number_form_named(need_string(*number, place + ".number"));
    if (!form)
      throw data_error(place + ".number", "the word is unknown", "write plain, comma, thousands or percent");
    reading.numbers = *form;
    return reading;
  }
  const auto form = date_form_named(need_string(*date, place + ".date"));
  if (!form) throw data_error(place + ".date", "the word is unknown", "write iso, dotted, dmy or mdy");
  const Json* word = json.find("unit");
  const auto unit = word ? date_unit_named(need_string(*word, place + ".unit")) : DateUnit::kDay;
  if (!unit) throw data_error(place + ".unit", "the word is unknown", "write day, week, month or year");
  reading.date = DateReading{*form, *unit};
  return reading;
}

Json value_to_json(const Reading& reading, const Rational& number) {
  if (!reading.date) return number_to_json(number);
  return Json::string(Reading{{}, DateReading{DateForm::kIso, reading.date->unit}}.text(number));
}

Rational need_value(const Reading& reading, const Json& json, const std::string& place) {
  if (!reading.date || !json.if_string()) return need_number(json, place);
  const auto number = Reading{{}, DateReading{DateForm::kIso, reading.date->unit}}.number(*json.if_string());
  if (!number) throw data_error(place, "this is not a date", "for example \"2024-03-31\"");
  return *number;
}

}  // namespace fugu::inline in_scenario
