#include "fugu/count/column_kind.h"

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "fugu/core/letters.h"

namespace fugu::inline in_count {
namespace {

constexpr std::string_view kCodeWords[] = {"id",  "ids", "code",     "codes",      "zip", "zipcode",
                                           "plz", "icd", "postcode", "postalcode", "key", "type"};

constexpr std::string_view kPeopleWords[] = {"id",     "ids",      "nbr",    "nr",      "no",      "number",
                                             "ssn",    "patient",  "person", "user",    "client",  "customer",
                                             "member", "employee", "pupil",  "student", "account", "subject"};

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

}  // namespace

std::optional<ColumnKind> kind_named(std::string_view word) {
  constexpr std::array<std::pair<std::string_view, ColumnKind>, 3> kKinds{
      {{"number", ColumnKind::kNumber}, {"category", ColumnKind::kCategory}, {"code", ColumnKind::kCode}}};
  for (const auto& [name, kind] : kKinds) {
    if (name == word) return kind;
  }
  return std::nullopt;
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
