// Whether a column's name is data: a first line of somebody's values that was taken for the names.
//
// Such a line is published as it is, and "two values of White" in a statement is somebody's race. So a name
// that is one of its own column's values is refused wherever a table is counted or released; and where the
// names are a line of text, a number above a column of numbers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fugu/core/error.h"
#include "fugu/table/table_head.h"

namespace fugu {

class ColumnName {
 public:
  // `na` are the texts that mean missing besides the empty one. A database's names were declared: they are no
  // data.
  ColumnName(const TableHead& head, size_t column, const std::vector<std::string>& na);

  // A field of the column; once is enough for each distinct text.
  void see(std::string_view text) {
    if (text == name_) is_value_ = is_value_ || may_be_data_;
    if (may_be_number_) see_number(text);
  }
  // What another has seen of the same column.
  void see(const ColumnName& other);

  bool is_data() const { return is_value_ || (may_be_number_ && numbers_); }

 private:
  void see_number(std::string_view text);

  std::string name_;
  std::vector<std::string> na_;
  bool may_be_data_ = false;
  bool may_be_number_ = false;  // the name is one, and so are all texts until now
  bool numbers_ = false;        // there are some
  bool is_value_ = false;
};

// Error (data). It calls the column by its number: the name is what must not be told.
Error name_is_data(const TableHead& head, size_t column);

}  // namespace fugu
