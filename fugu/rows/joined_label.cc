#include "fugu/rows/joined_label.h"

#include <fmt/format.h>

#include <algorithm>

namespace fugu::inline in_rows {
namespace {

constexpr std::string_view kBetween = " & ";

}  // namespace

bool means_missing(std::string_view text, const std::vector<std::string>& na) {
  return text.empty() || std::find(na.begin(), na.end(), text) != na.end();
}

void JoinedLabel::add(std::string_view name, std::string_view text) {
  label.append(parted.empty() ? "" : kBetween).append(name).append(text);
  parted.append(text).append(1, '\0');
}

std::string given_prefix(std::string_view column) { return fmt::format("{} = ", column); }

bool splits_once(std::string_view label, const std::vector<std::string>& names) {
  if (names.size() < 2) return true;
  // Every way to part the label has its cuts between the leftmost possible ones and the rightmost.
  std::vector<size_t> leftmost;
  size_t at = names.front().size();
  for (size_t k = 1; k < names.size(); ++k) {
    const std::string cut = std::string(kBetween) + names[k];
    const size_t found = label.find(cut, at);
    if (found == std::string_view::npos) return false;
    leftmost.push_back(found);
    at = found + cut.size();
  }
  size_t end = label.size();
  for (size_t k = names.size() - 1; k > 0; --k) {
    const std::string cut = std::string(kBetween) + names[k];
    if (label.substr(0, end).rfind(cut) != leftmost[k - 1]) return false;
    end = leftmost[k - 1];
  }
  return true;
}

std::optional<std::vector<std::string>> texts_of_label(std::string_view label,
                                                       const std::vector<std::string>& names) {
  if (names.empty() || !label.starts_with(names.front()) || !splits_once(label, names)) return std::nullopt;
  std::vector<std::string> texts;
  label.remove_prefix(names.front().size());
  for (size_t k = 1; k < names.size(); ++k) {
    const std::string cut = std::string(kBetween) + names[k];
    const size_t end = label.find(cut);
    texts.emplace_back(label.substr(0, end));
    label.remove_prefix(end + cut.size());
  }
  texts.emplace_back(label);
  return texts;
}

std::optional<size_t> add_label(const JoinedLabel& joined, uint64_t line, uint64_t times, Tally& labels,
                                Tally& parted) {
  const size_t index = labels.add(joined.label, line, times);
  if (parted.add(joined.parted, line) != index) return std::nullopt;
  return index;
}

bool MissingTexts::add(size_t column, std::string_view text) {
  if (texts_.size() <= column) texts_.resize(column + 1);
  auto& seen = texts_[column];
  if (seen.size() < 2 && std::find(seen.begin(), seen.end(), text) == seen.end()) seen.emplace_back(text);
  return seen.size() < 2;
}

std::optional<size_t> MissingTexts::add(const MissingTexts& other) {
  for (size_t column = 0; column < other.texts_.size(); ++column) {
    for (const std::string& text : other.texts_[column]) {
      if (!add(column, text)) return column;
    }
  }
  return std::nullopt;
}

Error same_label(const std::string& place, const std::string& what) {
  return Error(ErrorKind::kData,
               fmt::format("{}: two different {} have the same text when joined with ' & '", place, what),
               "replace ' & ' inside the values of these columns");
}

Error missing_in_two_ways(const std::string& place) {
  return Error(
      ErrorKind::kData,
      fmt::format(
          "{}: missing fields are written in more than one way, and --missing keep would hide the difference",
          place),
      "give them one text first, or use --missing drop");
}

}  // namespace fugu::inline in_rows
