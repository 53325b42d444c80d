#include "fugu/count/column_name.h"

#include <fmt/format.h>

#include <algorithm>

#include "fugu/core/number.h"
#include "fugu/count/column_kind.h"
#include "fugu/rows/joined_label.h"

namespace fugu::inline in_count {
namespace {

Error name_is_data(const TableHead& head, size_t column, NameIs what) {
  if (head.naming == Naming::kFirstLine) {
    const bool number = what == NameIs::kNumber;
    return Error(
        ErrorKind::kData,
        fmt::format(
            "{}: the first line looks like data: in column {} it has {}", head.file, column + 1,
            number ? "a number or a date, as all lines below it have" : "what the lines below it have"),
        fmt::format(
            "give --no-header, and columns by their numbers; or, if it is a header, rename the column "
            "there{}",
            number ? "" : ", or that value below it"));
  }
  return Error(ErrorKind::kData,
               fmt::format("{}: the name of column {} is one of its own values: a line of data seems to have "
                           "been read as the header",
                           head.file, column + 1),
               "read the file as one without a header, for example header=None in pandas; or, if it is a "
               "name, rename the column or that value");
}

}  // namespace

Looks looks_of(std::string_view text) {
  if (looks_like_decimal(text)) return Looks::kNumber;
  if (text.empty() || text.find_first_of("0123456789") == std::string_view::npos) return Looks::kWord;
  if (is_date(text)) return Looks::kDate;
  return is_written_number(text) ? Looks::kWritten : Looks::kWord;
}

ColumnName::ColumnName(const TableHead& head, size_t column, const std::vector<std::string>& na) : na_(na) {
  if (head.naming == Naming::kDeclared || column >= head.header.size()) return;
  name_ = head.header[column];
  looks_ = looks_of(name_);
  const bool number = looks_ != Looks::kWord, is_line = head.naming == Naming::kFirstLine;
  // Packages number the columns of a file that they read without a header, which is what the error above asks
  // for: 0 above zeros and ones is no data.
  may_be_data_ = !means_missing(name_, na) && (is_line || !number);
  may_be_number_ = may_be_data_ && number;
  is_word_ = may_be_data_ && !number;
}

void ColumnName::see_number(std::string_view text) {
  if (means_missing(text, na_)) return;
  const Looks looks = looks_of(text);
  may_be_number_ = looks != Looks::kWord && (looks == Looks::kDate) == (looks_ == Looks::kDate);
  numbers_ = true;
}

void ColumnName::see(const ColumnName& other) {
  is_value_ = is_value_ || other.is_value_;
  may_be_number_ = may_be_number_ && other.may_be_number_;
  numbers_ = numbers_ || other.numbers_;
}

bool shows_a_header(const BelowWord& column) {
  return column.rows > 0 && (column.numbers || column.single * 20 <= column.rows);
}

bool asks_for_a_header(std::span<const ColumnName> names) {
  return std::any_of(names.begin(), names.end(),
                     [](const auto& name) { return name.is_number_above_numbers(); });
}

std::vector<NameIs> what_names_are(std::span<const ColumnName> names, bool header) {
  const bool data = std::any_of(names.begin(), names.end(), [](const auto& name) { return name.is_value(); });
  std::vector<NameIs> result;
  for (const ColumnName& name : names) {
    const bool number = name.is_number_above_numbers() && (data || !header || !name.is_plain_number());
    result.push_back(name.is_value() ? NameIs::kOwnValue : number ? NameIs::kNumber : NameIs::kName);
  }
  return result;
}

void check_names(const TableHead& head, std::span<const ColumnName> names, std::span<const size_t> columns,
                 bool header) {
  const std::vector<NameIs> are = what_names_are(names, header);
  for (size_t k = 0; k < are.size(); ++k) {
    if (are[k] != NameIs::kName) throw name_is_data(head, columns[k], are[k]);
  }
  if (!head.recurring.empty()) throw name_is_data(head, head.recurring.front(), NameIs::kOwnValue);
}

}  // namespace fugu::inline in_count
