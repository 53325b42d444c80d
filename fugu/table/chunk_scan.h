// The records of a chunk, at the speed of its bytes: what RecordParser yields, and its errors, only sooner.
//
// Stretches without quotes and NULs are read by bit masks of 64 bytes; everything else goes to RecordParser.
//
//   ChunkScanner scanner(reader.layout({2, 0}));  // one for each thread
//   scanner.scan(chunk, 1, [&](const Field* fields, uint64_t line, std::string_view raw) { … });
//
// Threads that work on chunks out of order know no lines: they scan from line 1 and add up ScanResult::lines in
// the chunks' order afterwards. Where one throws, they keep its chunk, wait for those before it, and scan it once
// more from its true line for an error with the right one.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "fugu/table/chunks.h"
#include "fugu/table/record_parser.h"

namespace fugu {

struct ScanResult {
  uint64_t records = 0;
  uint64_t lines = 0;  // line ends, also those within quotes
};

class ChunkScanner {
 public:
  // layout.columns must not be 0.
  explicit ChunkScanner(CsvLayout layout);

  // Calls visit(fields, line, raw) for each record in order: `fields` are the wanted ones in the layout's order,
  // `line` is where the record begins when the chunk begins on `first_line`, `raw` is the record without its line
  // end. The views hold until visit returns (`raw` and Field::raw as long as the chunk). What visit throws ends
  // the scan. Error (data), without the file's name: as RecordParser::next, or a record that is too long.
  template <class Visit>
  ScanResult scan(const Chunk& chunk, uint64_t first_line, Visit&& visit);
};

}  // namespace fugu
