// What the first record of a table tells: its separator, its columns, and how people may call them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace fugu::inline in_table {

// How messages call a table and its rows.
struct TableName {
  std::string file = {};          // the path, "standard input", "the table"
  std::string row_word = "line";  // empty where rows have no numbers

  // "line 7", or "a row".
  std::string row(uint64_t number) const;
};

// Where the names of columns come from: whoever made the table said them, a package took them from somewhere,
// or they are the first line of a text, which may be data.
enum class Naming { kDeclared, kPackage, kFirstLine };

struct TableHead {
  std::string file;  // for messages: the path, or "standard input"
  std::string row_word = "line";
  char separator = ',';
  size_t columns = 0;
  std::vector<std::string> header = {};  // the columns' names; empty without a header
  Naming naming = Naming::kDeclared;
  std::vector<size_t> recurring = {};  // columns whose name, a word, stands below itself in the opening lines
  std::vector<std::string> raw_header = {};  // the same as they stand in the file, blanks and quotes included
  std::string line_end = "\n";               // how the first record ends: "\n" or "\r\n"
  bool byte_order_mark = false;              // the file begins with UTF-8's

  TableName name() const { return {file, row_word}; }
  // The column (from 0) with that name, or else with that number (from 1). Error (usage), naming `option`:
  // there is none, or several have the name.
  size_t column(const std::string& text, const std::string& option) const;
  // The text that column() reads as this column: its name where it is the only one of that name, else its
  // number. Error (usage) where neither works, (data) where the name is not UTF-8.
  std::string column_text(size_t column) const;
  // For messages: "column 'race'", or "column 3".
  std::string column_place(size_t column) const;
  // Of a part of the columns, which may repeat, and `more` without a name.
  TableHead part(const std::vector<size_t>& columns, size_t more = 0) const;

 private:
  std::string column_list(bool of_a_plan) const;
};

}  // namespace fugu::inline in_table
