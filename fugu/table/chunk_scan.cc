#include "fugu/table/chunk_scan.h"

namespace fugu {

ChunkScanner::ChunkScanner(CsvLayout layout)
    : layout_(std::move(layout)),
      parser_(layout_),
      fields_(layout_.wanted.size()),
      marks_(1 + layout_.columns + MarkScan::kMostMarks) {}

std::string_view ChunkScanner::trim(std::string_view text) const {
  const char* blanks = layout_.separator == '\t' ? " " : " \t";
  size_t begin = std::min(text.find_first_not_of(blanks), text.size());
  text.remove_prefix(begin);
  return text.substr(0, text.find_last_not_of(blanks) + 1);
}

// Past the line of the last byte that is neither blank nor a line end: what follows are blank lines at the
// end.
const char* ChunkScanner::end_of_records(std::string_view text) const {
  size_t last = text.find_last_not_of(layout_.separator == '\t' ? "\n\r " : "\n\r \t");
  if (last == std::string_view::npos) return text.data();
  return text.data() + std::min(text.find('\n', last), text.size() - 1) + 1;
}

}  // namespace fugu
