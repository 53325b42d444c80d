// Rows of text in aligned columns.
//
//   TextTable table({{"method", Align::kLeft}, {"scale", Align::kRight}});
//   table.add({"exact", "1.52"});
//   print(table.text());
#pragma once

#include <string>
#include <vector>

namespace fugu::inline in_show {

enum class Align { kLeft, kRight };

struct TextColumn {
  std::string title;
  Align align = Align::kLeft;
};

class TextTable {
 public:
  explicit TextTable(std::vector<TextColumn> columns) : columns_(std::move(columns)) {}

  // Precondition: one cell for each column.
  void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }

  // Every line is indented by two blanks, has none at its end, and ends with a line break.
  std::string text() const;

 private:
  std::vector<TextColumn> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace fugu::inline in_show
