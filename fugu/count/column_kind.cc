#include "fugu/count/column_kind.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "fugu/core/letters.h"

namespace fugu::inline in_count {
namespace {

constexpr std::string_view kCodeWords[] = {"id",  "ids", "code",     "codes",      "zip", "zipcode",
                                           "plz", "icd", "postcode", "postalcode", "key", "type"};

constexpr std::string_view kPeopleWords[] = {
    "id",      "ids",     "nbr",    "nr",          "no",           "number",    "ssn",   "patient",
    "person",  "user",    "client", "customer",    "member",       "employee",  "pupil", "student",
    "account", "subject", "mrn",    "participant", "respondent",   "pseudonym", "email", "uuid",
    "guid",    "iban",    "nummer", "patnr",       "kundennummer", "fallnummer"};

// "admission_type_id", "zipCode" and "Postal Code" in small words.
std::vector<std::string> words_of(std::string_view name) {
  std::vector<std::string> words(1);
  char before = ' ';
  for (char c : name) {
    if ((is_capital(c) && is_small(before)) || !(is_capital(c) || is_small(c))) words.emplace_back();
    if (is_capital(c) || is_small(c)) words.back() += small_letter(c);
    before = c;
  }
  return words;
}

bool has_word(std::string_view name, std::span<const std::string_view> words) {
  const std::vector<std::string> own = words_of(name);
  return std::any_of(own.begin(), own.end(), [&](const std::string& word) {
    return std::find(words.begin(), words.end(), word) != words.end();
  });
}

bool all_of(const std::vector<std::string_view>& texts, const auto& holds) {
  return std::all_of(texts.begin(), texts.end(), holds);
}

// The forms of numbers, other than the plain one, that all of these texts have.
std::vector<NumberForm> number_forms_of(const std::vector<std::string_view>& texts) {
  std::vector<NumberForm> forms;
  for (const NumberForm& form :
       {NumberForm{NumberForm::kPlain, true}, NumberForm{NumberForm::kComma, false},
        NumberForm{NumberForm::kThousands, false}, NumberForm{NumberForm::kComma, true},
        NumberForm{NumberForm::kThousands, true}}) {
    const Reading reading{.numbers = form};
    if (!all_of(texts, [&](std::string_view text) { return reading.has_form(text); })) continue;
    if (form.marks == NumberForm::kPlain) return {form};
    forms.push_back(form);
  }
  // Signs that are no comma stand between thousands.
  auto has_comma = [](std::string_view text) { return text.find(',') != std::string_view::npos; };
  if (forms.size() > 1 && std::none_of(texts.begin(), texts.end(), has_comma)) return {forms[1]};
  return forms;
}

// "V27", "E11.9", "J-45", "12A": digits and up to three letters in one short word.
bool looks_like_code(std::string_view text) {
  int letters = 0;
  bool digits = false;
  for (char c : text) {
    letters += is_capital(c) || is_small(c) ? 1 : 0;
    digits = digits || is_digit(c);
    if (!is_capital(c) && !is_small(c) && !is_digit(c) && c != '.' && c != '-' && c != '/') return false;
  }
  return letters > 0 && letters <= 3 && digits && text.size() <= 12;
}

// Numbers beside texts: codes, where these are all of that look, and not so few that they may be slips.
bool are_codes(const std::vector<std::string_view>& texts) {
  size_t codes = 0;
  for (std::string_view text : texts) {
    if (looks_like_decimal(text)) continue;
    if (!looks_like_code(text)) return false;
    ++codes;
  }
  return codes > 0 && codes * 20 >= texts.size();
}

}  // namespace

const char* word_of(ColumnKind kind) {
  constexpr const char* kWords[] = {"number", "category", "ordered category", "code", "date"};
  return kWords[static_cast<size_t>(kind)];
}

std::optional<KindSaid> kind_named(std::string_view words) {
  constexpr std::pair<std::string_view, ColumnKind> kKinds[] = {{"number", ColumnKind::kNumber},
                                                                {"category", ColumnKind::kCategory},
                                                                {"ordered", ColumnKind::kOrdered},
                                                                {"code", ColumnKind::kCode},
                                                                {"date", ColumnKind::kDate}};
  const size_t colon = words.find(':');
  const std::string_view kind = words.substr(0, colon);
  const std::string_view form = colon == std::string_view::npos ? "" : words.substr(colon + 1);
  for (const auto& [name, value] : kKinds) {
    if (name != kind) continue;
    KindSaid said{.kind = value};
    if (colon == std::string_view::npos) return said;
    if (value == ColumnKind::kDate && (said.date = date_form_named(form))) return said;
    if (const auto numbers = number_form_named(form); value == ColumnKind::kNumber && numbers) {
      said.numbers = *numbers;
      return said;
    }
  }
  return std::nullopt;
}

std::vector<DateForm> date_forms_of(const std::vector<std::string_view>& texts) {
  std::vector<DateForm> forms;
  for (DateForm form : kDateForms) {
    if (all_of(texts, [&](std::string_view text) { return parse_date(text, form).has_value(); }))
      forms.push_back(form);
  }
  return forms;
}

bool is_written_number(std::string_view text) { return !number_forms_of({text}).empty(); }

bool is_date(std::string_view text) {
  return std::any_of(std::begin(kDateForms), std::end(kDateForms),
                     [&](DateForm form) { return parse_date(text, form).has_value(); });
}

DetectedKind detect_kind(std::string_view name, const std::vector<std::string_view>& texts) {
  using Detected = DetectedKind;
  const auto numbers = static_cast<size_t>(std::count_if(texts.begin(), texts.end(), looks_like_decimal));
  if (numbers == texts.size()) {
    const std::string sign = sign_of_a_code(name, texts);
    if (sign.empty()) return {.kind = ColumnKind::kNumber};
    return {.kind = ColumnKind::kCode, .doubt = Detected::kMayBeCode, .why = sign};
  }
  if (const auto forms = number_forms_of(texts); !forms.empty()) {
    return {.kind = ColumnKind::kNumber,
            .doubt = Detected::kNumberForm,
            .reads = {.numbers = forms.front()},
            .other = forms.size() > 1 ? std::optional(forms[1]) : std::nullopt};
  }
  if (numbers > 0) {
    if (are_codes(texts)) return {.kind = ColumnKind::kCode};
    return {.kind = ColumnKind::kNumber, .doubt = Detected::kMixedNumbers};
  }
  const std::vector<DateForm> forms = date_forms_of(texts);
  if (!forms.empty()) {
    return {.kind = ColumnKind::kDate,
            .doubt = forms.size() > 1 ? Detected::kDayOrMonth : Detected::kNone,
            .reads = {.date = DateReading{.form = forms.front()}}};
  }
  const auto dates = static_cast<size_t>(std::count_if(texts.begin(), texts.end(), is_date));
  if (dates == texts.size()) return {.kind = ColumnKind::kDate, .doubt = Detected::kMixedForms};
  if (2 * dates > texts.size()) return {.kind = ColumnKind::kDate, .doubt = Detected::kMixedDates};
  const bool told = told_order({texts.begin(), texts.end()}).has_value();
  return {.kind = told ? ColumnKind::kOrdered : ColumnKind::kCategory};
}

DoubtWords words_of(const DetectedKind& detected, std::string_view name) {
  const bool is_plain = !name.empty() && name.find_first_of(" '\"$\\`=:,;") == std::string_view::npos;
  const std::string_view column = is_plain ? name : "COL";
  constexpr const char* kCategories =
      "name what means missing with --na, or say that the column holds codes or categories: --kind {}=code; "
      "--order sets their order";
  switch (detected.doubt) {
    case DetectedKind::kMayBeCode:
      return {"may hold codes rather than numbers: " + detected.why,
              fmt::format("say which it is: --kind {0}=code (released as categories) or --kind {0}=number",
                          column)};
    case DetectedKind::kNumberForm: {
      constexpr const char* kLooks[] = {"with a percent sign", "with a decimal comma",
                                        "with thousands separators"};
      const std::string form = fmt::format("--kind {}=number:{}", column, word_of(detected.reads.numbers));
      if (!detected.other)
        return {fmt::format("may hold numbers {}", kLooks[detected.reads.numbers.marks]),
                fmt::format("say what it holds: {}, or --kind {}=category", form, column)};
      return {"may hold numbers with a comma, which may be a decimal comma or a thousands separator",
              fmt::format("say what it holds: {}, --kind {}=number:{}, or --kind {}=category", form, column,
                          word_of(*detected.other), column)};
    }
    case DetectedKind::kMixedNumbers:
      return {"mixes numbers and text", fmt::format(fmt::runtime(kCategories), column)};
    case DetectedKind::kDayOrMonth:
      return {"holds dates whose day and month cannot be told apart",
              fmt::format("say which comes first: --kind {0}=date:dmy (31/12/2024) or --kind {0}=date:mdy "
                          "(12/31/2024)",
                          column)};
    case DetectedKind::kMixedDates:
      return {"mixes dates and text", fmt::format(fmt::runtime(kCategories), column)};
    case DetectedKind::kMixedForms:
      return {
          "mixes date formats",
          fmt::format("write all of them in one format, for example 2024-03-31, or give --kind {}=category",
                      column)};
    default:
      return {};
  }
}

std::string sign_of_a_code(std::string_view name, const std::vector<std::string_view>& texts) {
  bool zeros = false;
  for (std::string_view text : texts) {
    if (!std::all_of(text.begin(), text.end(), is_digit)) return "";
    zeros = zeros || (text.size() > 1 && text.front() == '0');
  }
  if (zeros) return "its numbers begin with zeros";
  return has_word(name, kCodeWords) ? "its name says so" : "";
}

bool may_name_people(std::string_view name) { return has_word(name, kPeopleWords); }

bool repeats_people(std::string_view name, const Repeats& seen) {
  constexpr uint64_t kRowsOfAPerson =
      20;  // on average, at most: what repeats more often is no person's number
  return may_name_people(name) && seen.values < seen.rows && seen.rows / kRowsOfAPerson < seen.values;
}

}  // namespace fugu::inline in_count
