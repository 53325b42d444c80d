#include "fugu/count/column_kind.h"

#include <algorithm>
#include <array>
#include <vector>

namespace fugu::inline in_count {
namespace {

constexpr std::string_view kCodeWords[] = {"id",  "ids", "code",     "codes",      "zip", "zipcode",
                                           "plz", "icd", "postcode", "postalcode", "key", "type"};

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }
bool is_small(char c) { return c >= 'a' && c <= 'z'; }

// "admission_type_id", "zipCode" and "Postal Code" in small words.
std::vector<std::string> words_of(std::string_view name) {
  std::vector<std::string> words(1);
  char before = ' ';
  for (char c : name) {
    if ((is_capital(c) && is_small(before)) || !(is_capital(c) || is_small(c))) words.emplace_back();
    if (is_capital(c)) words.back() += static_cast<char>(c - 'A' + 'a');
    if (is_small(c)) words.back() += c;
    before = c;
  }
  return words;
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

std::string sign_of_a_code(std::string_view name, const Tally& values) {
  bool zeros = false;
  for (const Tally::Entry& value : values.entries()) {
    if (!std::all_of(value.key.begin(), value.key.end(), is_digit)) return "";
    zeros = zeros || (value.key.size() > 1 && value.key.front() == '0');
  }
  if (zeros) return "its numbers begin with zeros";
  for (const std::string& word : words_of(name)) {
    if (std::find(std::begin(kCodeWords), std::end(kCodeWords), word) != std::end(kCodeWords))
      return "its name says so";
  }
  return "";
}

}  // namespace fugu::inline in_count
