#include "fugu/table/table_head.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "fugu/core/date.h"
#include "fugu/core/error.h"
#include "fugu/core/number.h"
#include "fugu/core/utf8.h"

namespace fugu::inline in_table {
namespace {

// A column's number as people write it; nullopt for anything else.
std::optional<size_t> parse_column_number(const std::string& text) {
  size_t number = 0;
  const char* end = text.data() + text.size();
  auto [stop, code] = std::from_chars(text.data(), end, number);
  if (code != std::errc() || stop != end) return std::nullopt;
  return number;
}

bool is_day(const std::string& name) {
  return std::any_of(std::begin(kDateForms), std::end(kDateForms),
                     [&](DateForm form) { return parse_date(name, form).has_value(); });
}

}  // namespace

std::string TableName::row(uint64_t number) const {
  return row_word.empty() ? "a row" : fmt::format("{} {}", row_word, number);
}

TableHead TableHead::part(const std::vector<size_t>& of, size_t more) const {
  TableHead part = *this;
  part.columns = of.size() + more;
  part.recurring.clear();
  if (header.empty()) return part;
  part.header.clear();
  part.raw_header.clear();
  for (size_t column : of) {
    part.header.push_back(header[column]);
    part.raw_header.push_back(raw_header[column]);
  }
  part.header.resize(part.columns);
  part.raw_header.resize(part.columns);
  return part;
}

size_t TableHead::column(const std::string& text, const std::string& option) const {
  auto named = std::find(header.begin(), header.end(), text);
  if (named != header.end()) {
    auto again = std::find(named + 1, header.end(), text);
    if (again == header.end()) return static_cast<size_t>(named - header.begin());
    throw Error(ErrorKind::kUsage, fmt::format("{}: {} has several columns named '{}'", option, file, text),
                looks_like_decimal(text)
                    ? "if the first line is data, give --no-header; if it is a header, give each column a "
                      "different name"
                    : fmt::format("give the number of one, such as {} or {}", named - header.begin() + 1,
                                  again - header.begin() + 1));
  }
  auto number = parse_column_number(text);
  if (number && *number >= 1 && *number <= columns) return *number - 1;
  const std::string message = fmt::format("{}: {} has no column '{}'", option, file, text);
  // Whoever gives numbers has no use for names, which may be data.
  if (number && !header.empty())
    throw Error(ErrorKind::kUsage, message, fmt::format("the columns have the numbers 1 to {}", columns));
  throw Error(ErrorKind::kUsage, message, column_list(option == "--plan"));
}

std::string TableHead::column_list(bool of_a_plan) const {
  constexpr size_t kShown = 40;
  const size_t mark =
      columns == 1 && header.size() == 1 ? header[0].find_first_of(",;|\t") : std::string::npos;
  if (mark != std::string::npos && naming == Naming::kFirstLine) {
    const std::string parting = header[0][mark] == '\t' ? "a tab" : fmt::format("'{}'", header[0][mark]);
    return fmt::format(
        "the first line has one field, with {} in it: if that separates the fields, give --separator {}",
        parting, header[0][mark] == '\t' ? "tab" : parting);
  }
  if (header.empty()) {
    return columns == 1 ? "without a header there is only column 1"
                        : fmt::format("without a header, name columns by number, here 1 to {}", columns);
  }
  // Names that recur, or numbers or a date among them: this is data, which is nobody's business, taken for a
  // header.
  if (!recurring.empty() || std::any_of(header.begin(), header.end(), is_day) ||
      std::count_if(header.begin(), header.end(),
                    [](const std::string& name) { return looks_like_decimal(name); }) > 1) {
    return fmt::format(
        "the table has {} columns; if its first line is data, {}", columns,
        of_a_plan ? "write a line with the plan's names above it" : "give --no-header and a number");
  }
  std::vector<std::string> names;
  for (size_t k = 0; k < std::min(columns, kShown); ++k) {
    names.push_back(is_printable(header[k]) && !header[k].empty() ? header[k] : std::to_string(k + 1));
  }
  if (columns > kShown) names.push_back(fmt::format("and {} more", columns - kShown));
  return fmt::format("the columns are: {}", fmt::join(names, ", "));
}

std::string TableHead::column_text(size_t column) const {
  std::string number = std::to_string(column + 1);
  if (header.empty()) return number;
  const std::string& text = header[column];
  if (!is_utf8(text)) {
    throw Error(ErrorKind::kData, fmt::format("{}: the name of column {} is not UTF-8", file, number),
                "save the file as UTF-8");
  }
  if (!text.empty() && std::count(header.begin(), header.end(), text) == 1) return text;
  if (std::find(header.begin(), header.end(), number) == header.end()) return number;
  throw Error(ErrorKind::kUsage,
              fmt::format("{}: column {} has no name, and another is named '{}'", file, number, number),
              "name the column in the file");
}

std::string TableHead::column_place(size_t column) const {
  bool named = !header.empty() && !header[column].empty() && is_printable(header[column]);
  return named ? fmt::format("column '{}'", header[column]) : fmt::format("column {}", column + 1);
}

}  // namespace fugu::inline in_table
