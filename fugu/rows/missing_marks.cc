#include "fugu/rows/missing_marks.h"

#include <fmt/format.h>

#include <algorithm>

#include "fugu/core/letters.h"

namespace fugu::inline in_rows {
namespace {

// In small letters. "none" and "no" are answers more often than not.
constexpr std::string_view kMarks[] = {
    "?",    "??",   "-",   "--",   "---", ".",       "..",      "null",          "na",     "n/a",
    "n.a.", "#n/a", "nan", "<na>", "nil", "unknown", "missing", "not available", "(null)", "\\n"};

}  // namespace

bool looks_missing(std::string_view text) {
  return std::any_of(std::begin(kMarks), std::end(kMarks), [&](std::string_view mark) {
    return std::equal(text.begin(), text.end(), mark.begin(), mark.end(),
                      [](char a, char b) { return small_letter(a) == b; });
  });
}

Error unexplained_mark(const std::string& place, const std::string& text) {
  return Error(
      ErrorKind::kData, fmt::format("{}: the text '{}' looks like a missing value", place, text),
      fmt::format(
          "if it is, --na '{0}' --missing drop leaves such rows out, and --na '{0}' --missing keep makes "
          "them a category; if it is a value: --not-missing '{0}'",
          text));
}

}  // namespace fugu::inline in_rows
