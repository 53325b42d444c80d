#include "fugu/show/text_table.h"

#include <algorithm>

#include "fugu/show/wording.h"

namespace fugu::inline in_show {

std::string TextTable::text() const {
  std::vector<std::string> titles;
  std::vector<size_t> widths;
  for (size_t k = 0; k < columns_.size(); ++k) {
    titles.push_back(columns_[k].title);
    widths.push_back(text_width(titles.back()));
    for (const auto& row : rows_) widths[k] = std::max(widths[k], text_width(row[k]));
  }
  std::string out;
  auto line = [&](const std::vector<std::string>& cells) {
    for (size_t k = 0; k < cells.size(); ++k) {
      const std::string padding(widths[k] - text_width(cells[k]), ' ');
      out += "  ";
      out += columns_[k].align == Align::kLeft ? cells[k] + padding : padding + cells[k];
    }
    out.erase(out.find_last_not_of(' ') + 1);
    out += '\n';
  };
  line(titles);
  for (const auto& row : rows_) line(row);
  return out;
}

}  // namespace fugu::inline in_show
