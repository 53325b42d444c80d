#include <algorithm>
#include <string_view>

#include "fugu/core/letters.h"
#include "fugu/count/column_kind.h"

namespace fugu::inline in_count {
namespace {

using Scale = std::vector<std::vector<std::string_view>>;  // steps upward, each by any of its words

const std::vector<Scale>& scales() {
  static const std::vector<Scale> kScales{
      {{"very low"}, {"low"}, {"medium", "moderate", "middle", "mid"}, {"high"}, {"very high"}},
      {{"none"}, {"mild", "slight", "low"}, {"moderate", "medium"}, {"severe", "high"}, {"very severe"}},
      {{"never"}, {"rarely", "seldom"}, {"sometimes", "occasionally"}, {"often", "frequently"}, {"always"}},
      {{"very poor", "very bad"},
       {"poor", "bad"},
       {"fair", "average"},
       {"good"},
       {"very good"},
       {"excellent"}},
      {{"strongly disagree"}, {"disagree"}, {"neutral"}, {"agree"}, {"strongly agree"}},
      {{"xxs"}, {"xs"}, {"s", "small"}, {"m", "medium"}, {"l", "large"}, {"xl"}, {"xxl"}},
      {{"monday", "mon"},
       {"tuesday", "tue"},
       {"wednesday", "wed"},
       {"thursday", "thu"},
       {"friday", "fri"},
       {"saturday", "sat"},
       {"sunday", "sun"}},
      {{"january", "jan"},
       {"february", "feb"},
       {"march", "mar"},
       {"april", "apr"},
       {"may"},
       {"june", "jun"},
       {"july", "jul"},
       {"august", "aug"},
       {"september", "sep"},
       {"october", "oct"},
       {"november", "nov"},
       {"december", "dec"}}};
  return kScales;
}

std::string in_small_letters(std::string_view text) {
  std::string small;
  for (char c : text) small += c == '_' ? ' ' : small_letter(c);
  return small;
}

std::optional<size_t> step_of(const Scale& scale, std::string_view text) {
  const std::string small = in_small_letters(text);
  for (size_t step = 0; step < scale.size(); ++step) {
    if (std::find(scale[step].begin(), scale[step].end(), small) != scale[step].end()) return step;
  }
  return std::nullopt;
}

// The number that a text begins with, and whether what stands before it says "below" (-1) or "above" (1).
std::optional<std::pair<Rational, int>> leading_number(std::string_view text) {
  int side = 0;
  size_t at = 0;
  for (; at < text.size() && !is_digit(text[at]); ++at) {
    const char c = text[at];
    if (std::string_view(" <>=[($~\"'").find(c) == std::string_view::npos) return std::nullopt;
    if (c == '<') side = -1;
    if (c == '>') side = 1;
  }
  size_t end = at;
  while (end < text.size() && (is_digit(text[end]) || (text[end] == '.' && end > at))) ++end;
  while (end > at && text[end - 1] == '.') --end;
  if (text.substr(end).starts_with('+')) side = 1;
  const auto number = parse_decimal(text.substr(at, end - at));
  return number ? std::optional(std::pair(*number, side)) : std::nullopt;
}

// The texts by their keys; nullopt where one has none, or two have the same.
template <class KeyOf>
std::optional<std::vector<std::string>> sorted_by(const std::vector<std::string>& texts,
                                                  const KeyOf& key_of) {
  std::vector<std::pair<typename std::invoke_result_t<KeyOf, std::string_view>::value_type, std::string>>
      keyed;
  for (const std::string& text : texts) {
    auto key = key_of(text);
    if (!key) return std::nullopt;
    keyed.emplace_back(std::move(*key), text);
  }
  std::sort(keyed.begin(), keyed.end());
  std::vector<std::string> sorted;
  for (size_t k = 0; k < keyed.size(); ++k) {
    if (k > 0 && keyed[k].first == keyed[k - 1].first) return std::nullopt;
    sorted.push_back(keyed[k].second);
  }
  return sorted;
}

}  // namespace

std::optional<std::vector<std::string>> told_order(std::vector<std::string> texts) {
  if (texts.size() < 3) return std::nullopt;
  if (auto sorted = sorted_by(texts, leading_number)) return sorted;
  for (const Scale& scale : scales()) {
    if (auto sorted = sorted_by(texts, [&](std::string_view text) { return step_of(scale, text); }))
      return sorted;
  }
  return std::nullopt;
}

}  // namespace fugu::inline in_count
