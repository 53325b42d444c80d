#include "fugu/table/record_cut.h"

#include <cstring>

#include "fugu/core/error.h"

namespace fugu {
namespace {

// Past the last whole line that is not blank.
size_t cut_at_line(std::string_view block, const char* blanks) {
  size_t end = block.rfind('\n');
  if (end == std::string_view::npos) return 0;
  size_t text = block.find_last_not_of(blanks, end);
  return text == std::string_view::npos ? 0 : block.find('\n', text) + 1;
}

}  // namespace

RecordCut cut_records(std::string_view block, const CsvLayout& layout) {
  const char* blanks = layout.separator == '\t' ? "\n\r " : "\n\r \t";
  if (!std::memchr(block.data(), '"', block.size())) return {cut_at_line(block, blanks), false};
  RecordParser parser(layout);
  parser.start(block, 1, false);
  RecordCut cut;
  try {
    for (Record record; parser.next(record);) {
      if (record.raw.find_first_not_of(blanks) != std::string_view::npos) cut.size = parser.consumed();
    }
  } catch (const Error&) {
    return {block.size(), true};
  }
  return cut;
}

}  // namespace fugu
