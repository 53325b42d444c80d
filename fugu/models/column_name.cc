#include "fugu/models/column_name.h"

#include <fmt/format.h>

#include "fugu/core/number.h"
#include "fugu/models/joined_label.h"

namespace fugu {

ColumnName::ColumnName(const TableHead& head, size_t column, const std::vector<std::string>& na) : na_(na) {
  if (head.naming == Naming::kDeclared || column >= head.header.size()) return;
  name_ = head.header[column];
  const bool number = looks_like_decimal(name_), is_line = head.naming == Naming::kFirstLine;
  // Packages number the columns of a file that they read without a header.
  may_be_data_ = !means_missing(name_, na) && (is_line || !number);
  may_be_number_ = may_be_data_ && number;
}

void ColumnName::see_number(std::string_view text) {
  if (means_missing(text, na_)) return;
  may_be_number_ = looks_like_decimal(text);
  numbers_ = true;
}

void ColumnName::see(const ColumnName& other) {
  is_value_ = is_value_ || other.is_value_;
  may_be_number_ = may_be_number_ && other.may_be_number_;
  numbers_ = numbers_ || other.numbers_;
}

Error name_is_data(const TableHead& head, size_t column) {
  if (head.naming == Naming::kFirstLine) {
    return Error(
        ErrorKind::kData,
        fmt::format("{}: the first line looks like data: in column {} it has what the lines below it have",
                    head.file, column + 1),
        "give --no-header, and columns by their numbers; or, if it is a header, rename the column there, or "
        "that value below it");
  }
  return Error(ErrorKind::kData,
               fmt::format("{}: the name of column {} is one of its own values: a line of data seems to have "
                           "been taken for the names",
                           head.file, column + 1),
               "read the file as one without a header, for example header=None in pandas; or, if it is a "
               "name, rename the column or that value");
}

}  // namespace fugu
