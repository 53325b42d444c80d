// Whether a column's name is data: a first line of somebody's values that was taken for the names.
//
// Such a line is published as it is, and "two values of White" in a statement is somebody's race. So a name
// that is one of its own column's values is refused wherever a table is counted or released; and where the
// names are a line of text, a number above a column of numbers, unless another column shows that the line is
// a header (shows_a_header()): years are names, too. Of a text file's other columns the opening lines are
// looked at (TableHead::recurring): who has a rare race may have a common job.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fugu/core/error.h"
#include "fugu/table/table_head.h"

namespace fugu::inline in_count {

// What a text looks like, by itself: a word, a plain number, a number as people write it, a date.
enum class Looks : uint8_t { kWord, kNumber, kWritten, kDate };
Looks looks_of(std::string_view text);

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

  bool is_value() const { return is_value_; }
  bool is_number_above_numbers() const { return may_be_number_ && numbers_; }
  // A year may name a column of numbers; nobody calls one 77,5% or 1931-07-19 that holds such.
  bool is_plain_number() const { return looks_ == Looks::kNumber; }
  // A text that is no number and none of the column's values.
  bool is_word() const { return is_word_ && !is_value_; }

 private:
  void see_number(std::string_view text);

  std::string name_;
  std::vector<std::string> na_;
  Looks looks_ = Looks::kWord;  // the name
  bool may_be_data_ = false;
  bool may_be_number_ = false;  // the name is one, and so are all texts until now
  bool numbers_ = false;        // there are some
  bool is_value_ = false;
  bool is_word_ = false;
};

enum class NameIs { kName, kOwnValue, kNumber };

// What a column below a word holds, missing fields left out.
struct BelowWord {
  uint64_t rows = 0;
  uint64_t single = 0;  // rows whose text no other row has
  bool numbers = true;  // all of them
};

// Whether a word above such a column, and none of its texts, shows that it stands in a header: all below it
// are numbers, or nearly all texts come again. Were its line data like the others, it would be one whose text
// does not, and those are at most one in 20.
bool shows_a_header(const BelowWord& column);

// What the names of a table's columns are, of those that were looked at. A number above numbers is data where
// nothing shows a `header`, and where another name is data.
std::vector<NameIs> what_names_are(std::span<const ColumnName> names, bool header);

// Whether a number is above numbers, so that what_names_are() asks for a header.
bool asks_for_a_header(std::span<const ColumnName> names);

// Error (data) for the first of `names` that is data; they are of these columns; then for any other column
// whose name recurs. It calls the column by its number: the name is what must not be told.
void check_names(const TableHead& head, std::span<const ColumnName> names, std::span<const size_t> columns,
                 bool header);

}  // namespace fugu::inline in_count
