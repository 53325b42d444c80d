#include "fugu/csv/chunk_scan.h"

namespace fugu::inline in_csv {

ChunkScanner::ChunkScanner(CsvLayout layout)
    : layout_(std::move(layout)),
      parser_(layout_),
      fields_(layout_.wanted.size()),
      unescaped_(layout_.wanted.size()),
      marks_(1 + layout_.columns + MarkScan::kMostMarks) {}

std::string_view ChunkScanner::clean_rare(std::string_view field, size_t slot) {
  if (!field.starts_with('"')) {
    const char* blanks = layout_.separator == '\t' ? " " : " \t";
    field.remove_prefix(std::min(field.find_first_not_of(blanks), field.size()));
    return field.substr(0, field.find_last_not_of(blanks) + 1);
  }
  std::string_view text = field.substr(1, field.size() - 2);
  size_t quote = text.find('"');
  if (quote == std::string_view::npos) return text;
  std::string& plain = unescaped_[slot];
  plain.reserve(Field::kReadable);
  plain.clear();
  for (; quote != std::string_view::npos; quote = text.find('"')) {
    plain.append(text, 0, quote + 1);
    text.remove_prefix(quote + 2);
  }
  return plain.append(text);
}

// Past the line of the last byte that is neither blank nor a line end: what follows are blank lines at the
// end.
const char* ChunkScanner::end_of_records(std::string_view text) const {
  size_t last = text.find_last_not_of(layout_.separator == '\t' ? "\n\r " : "\n\r \t");
  if (last == std::string_view::npos) return text.data();
  return text.data() + std::min(text.find('\n', last), text.size() - 1) + 1;
}

}  // namespace fugu::inline in_csv
