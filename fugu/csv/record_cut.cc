#include "fugu/csv/record_cut.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <optional>

#include "fugu/core/error.h"
#include "fugu/csv/block_masks.h"

namespace fugu::inline in_csv {
namespace {

// Where the first stretch of regular records ends.
size_t regular_records(std::string_view block, char separator) {
  const BlockCode& code = BlockCode::best();
  BlockBits bits;
  size_t end = 0;
  std::array<BlockMarks, 64> found;
  for (size_t at = 0; at + kBlockSize <= block.size();) {
    const size_t count = std::min(found.size(), (block.size() - at) / kBlockSize);
    const size_t regular = code.find(block.data() + at, count * kBlockSize, separator, bits, found.data());
    for (size_t k = 0; k < regular; ++k, at += kBlockSize) {
      if (found[k].line_ends != 0) end = at + static_cast<size_t>(std::bit_width(found[k].line_ends));
    }
    if (regular < count) break;
  }
  return end;
}

// The end of the last whole record; nullopt when one cannot be read.
std::optional<size_t> last_record(std::string_view block, const CsvLayout& layout) {
  constexpr size_t kShortest = 64, kLongest = size_t{64} << 10;
  RecordParser parser(layout);
  Record record;
  size_t end = 0;
  try {
    // As long as masks get nowhere, RecordParser gets longer stretches.
    for (size_t stretch = kShortest;;) {
      size_t regular = regular_records(block.substr(end), layout.separator);
      stretch = regular == 0 ? std::min(stretch * 2, kLongest) : kShortest;
      end += regular;
      parser.start(block.substr(end), 1, false);
      bool more = true;
      while (more && parser.consumed() < stretch) more = parser.next(record);
      end += parser.consumed();
      if (!more) return end;
    }
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace

RecordCut cut_records(std::string_view block, const CsvLayout& layout) {
  size_t end = 0;
  if (std::memchr(block.data(), '"', block.size())) {
    auto found = last_record(block, layout);
    if (!found) return {block.size(), true};
    end = *found;
  } else {
    end = block.rfind('\n') + 1;
  }
  // After the last line of text: what follows may be the blank lines at the end of the table.
  const char* blanks = layout.separator == '\t' ? "\n\r " : "\n\r \t";
  size_t text = block.substr(0, end).find_last_not_of(blanks);
  return {text == std::string_view::npos ? 0 : block.find('\n', text) + 1, false};
}

}  // namespace fugu::inline in_csv
