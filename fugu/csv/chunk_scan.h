// The records of a chunk, at the speed of its bytes: what RecordParser yields, and its errors, only sooner.
//
// Most records are read by bit masks of 64 bytes (BlockBits says which); the rest goes to RecordParser.
//
//   ChunkScanner scanner(reader.layout({2, 0}));  // one for each thread
//   scanner.scan(chunk, 1, [&](const Field* fields, uint64_t line, std::string_view raw) { … });
//
// Threads that work on chunks out of order know no lines: they scan from line 1 and add up ScanResult::lines
// in the chunks' order afterwards. Where one throws, they keep its chunk, wait for those before it, and scan
// it once more from its true line for an error with the right one.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fugu/csv/chunks.h"
#include "fugu/csv/mark_scan.h"
#include "fugu/csv/record_parser.h"
#include "fugu/table/hot.h"

namespace fugu::inline in_csv {

struct ScanResult {
  uint64_t records = 0;
  uint64_t lines = 0;  // line ends, also those within quotes
};

class ChunkScanner {
 public:
  // layout.columns must not be 0.
  explicit ChunkScanner(CsvLayout layout);

  // Calls visit(fields, line, raw) for each record in order: `fields` are the wanted ones in the layout's
  // order, `line` is where the record begins when the chunk begins on `first_line`, `raw` is the record
  // without its line end. The views hold until visit returns (`raw` and Field::raw as long as the chunk);
  // Field::kReadable bytes of each text may be read. What visit throws ends the scan. Error (data), without
  // the file's name: as RecordParser::next, or a record that is too long.
  template <class Visit>
  ScanResult scan(const Chunk& chunk, uint64_t first_line, Visit&& visit) {
    if (chunk.too_long() != 0) throw record_too_long(first_line, chunk.too_long());
    switch (layout_.wanted.size()) {  // known numbers of fields make tighter loops
      case 1:
        return scan_all<1>(chunk.text(), first_line, visit);
      case 2:
        return scan_all<2>(chunk.text(), first_line, visit);
      case 3:
        return scan_all<3>(chunk.text(), first_line, visit);
      default:
        return scan_all<0>(chunk.text(), first_line, visit);
    }
  }

 private:
  struct Position {
    const char* at;  // begins a record
    uint64_t line;
    uint64_t records;
  };

  template <size_t kWanted, class Visit>
  ScanResult scan_all(std::string_view text, uint64_t first_line, Visit& visit) {
    const char* end = text.data() + text.size();
    const char* stop = end_of_records(text);
    Position position{text.data(), first_line, 0};
    // As long as masks get nowhere, RecordParser gets longer stretches.
    for (size_t stretch = kShortest; position.at < stop;) {
      const char* begin = position.at;
      scan_regular<kWanted>(position, stop, visit);
      stretch = position.at == begin ? std::min(stretch * 2, kLongest) : kShortest;
      if (position.at < stop) scan_carefully(position, end, stretch, visit);
    }
    return {position.records, position.line - first_line};
  }

  // As far as the masks carry.
  template <size_t kWanted, class Visit>
  void scan_regular(Position& position, const char* stop, Visit& visit) {
    const char* base = position.at;
    if (static_cast<uint64_t>(stop - base) > kFarthest) return;
    MarkScan scan(base, stop, layout_.separator);
    uint32_t* marks = marks_.data() + 1;
    marks[-1] = static_cast<uint32_t>(-1);  // the mark before the record's first byte
    const size_t columns = layout_.columns;
    size_t kept = 0;
    bool bare = true;  // what is known of the present record
    for (bool more = true; more;) {
      MarkScan::Run run = scan.next(marks + kept);
      more = run.more;
      size_t records = (kept + run.marks) / columns;
      // With as many line ends as records, each at the end of one, there are none elsewhere.
      bool regular = records == run.line_ends;
      for (size_t k = 1; k <= records; ++k) regular &= base[marks[k * columns - 1]] == '\n';
      if (!regular) return;
      if (bare && run.bare) {
        visit_regular<kWanted, true>(base, marks, records, position.line, visit);
      } else {
        visit_regular<kWanted, false>(base, marks, records, position.line, visit);
      }
      bare = run.bare && (bare || records > 0);
      position.line += records;
      position.records += records;
      const uint32_t* mark = marks + records * columns;
      if (records > 0) position.at = base + mark[-1] + 1;
      kept = kept + run.marks - records * columns;
      std::copy(mark - 1, mark + kept, marks - 1);
    }
  }

  // Records between marks, which end their fields; bare ones need not be trimmed and have no quotes.
  template <size_t kWanted, bool kBare, class Visit>
  FUGU_HOT void visit_regular(const char* base, const uint32_t* mark, size_t records, uint64_t line,
                              Visit& visit) {
    const size_t last = layout_.columns - 1;
    // A copy, since what visit writes might change the vector, for all that the compiler knows.
    std::array<size_t, kWanted> wanted;
    std::copy_n(layout_.wanted.begin(), kWanted, wanted.begin());
    for (const uint64_t end = line + records; line < end; ++line, mark += last + 1) {
      const char* record = base + static_cast<uint32_t>(mark[-1] + 1);
      const char* record_end = base + mark[last];
      if (!kBare && record_end[-1] == '\r') --record_end;
      std::string_view raw(record, static_cast<size_t>(record_end - record));
      auto field = [&](size_t column, size_t slot) FUGU_HOT_LAMBDA {
        const char* begin = base + static_cast<uint32_t>(mark[static_cast<ptrdiff_t>(column) - 1] + 1);
        const char* field_end = !kBare && column == last ? record_end : base + mark[column];
        std::string_view text(begin, static_cast<size_t>(field_end - begin));
        return Field{kBare ? text : clean(text, slot), text};
      };
      if constexpr (kWanted == 0) {
        for (size_t k = 0; k < fields_.size(); ++k) fields_[k] = field(layout_.wanted[k], k);
        visit(static_cast<const Field*>(fields_.data()), line, raw);
      } else {
        [&]<size_t... k>(std::index_sequence<k...>) {  // an array would be cleared first, which takes long
          const Field fields[] = {field(wanted[k], k)...};
          visit(static_cast<const Field*>(fields), line, raw);
        }(std::make_index_sequence<kWanted>());
      }
    }
  }

  // At least one record and `stretch` bytes, or all there are.
  template <class Visit>
  void scan_carefully(Position& position, const char* end, size_t stretch, Visit& visit) {
    std::string_view text(position.at, static_cast<size_t>(end - position.at));
    parser_.start(text, position.line, true);
    while (parser_.consumed() < stretch && parser_.next(record_)) {
      ++position.records;
      visit(static_cast<const Field*>(record_.fields.data()), record_.line, record_.raw);
    }
    position.line = parser_.line();
    position.at = text.data() + parser_.consumed();
  }

  // A field of a regular record, trimmed or without its quotes. The bytes beside it can be read.
  FUGU_HOT std::string_view clean(std::string_view field, size_t slot) {
    auto is_low = [](char c) { return static_cast<unsigned char>(c) <= '"'; };
    const char* end = field.data() + field.size();
    return is_low(field.data()[0]) || is_low(end[-1]) ? clean_rare(field, slot) : field;
  }
  std::string_view clean_rare(std::string_view field, size_t slot);
  const char* end_of_records(std::string_view text) const;

  static constexpr size_t kShortest = 64, kLongest = size_t{64} << 10;
  static constexpr uint64_t kFarthest = 0xFFFFFF00;  // marks have 32 bits

  CsvLayout layout_;
  RecordParser parser_;
  Record record_;
  std::vector<Field> fields_;
  std::vector<std::string> unescaped_;  // by slot
  std::vector<uint32_t> marks_;         // of the present record and those to come, behind the mark before it
};

}  // namespace fugu::inline in_csv
