// CSV records (RFC 4180) out of a block of bytes: no files, no state outside the block.
//
// What it accepts beyond the RFC: LF alone, CRs before an LF, blanks around fields (trimmed outside quotes),
// quotes inside an unquoted field (plain characters), blank lines at the end. A tab is a blank unless it
// separates.
//
//   RecordParser parser({.separator = ',', .columns = 3, .wanted = {2, 0}});
//   parser.start(block, /*line=*/1, /*last=*/true);
//   for (Record record; parser.next(record);) use(record.fields[0].text);
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "fugu/core/error.h"
#include "fugu/csv/special_scan.h"

namespace fugu::inline in_csv {

struct CsvLayout {
  char separator = ',';
  size_t columns = 0;               // fields that every record must have; 0: any number, and all are wanted
  std::vector<size_t> wanted = {};  // from 0, in any order, also repeated; each below `columns`
};

struct Field {
  // So many bytes from the text's beginning may be read where it is shorter and as many follow the block.
  static constexpr size_t kReadable = 32;

  std::string_view text;  // unescaped and trimmed
  std::string_view raw;   // what stands between the separators: replace it to rewrite the field
};

// The views hold until the parser's next call, and as long as its block.
struct Record {
  uint64_t line = 0;          // where it begins, from 1
  std::string_view raw;       // without the line end
  std::vector<Field> fields;  // the wanted ones, in the order of CsvLayout::wanted
};

class RecordParser {
 public:
  explicit RecordParser(CsvLayout layout = {});

  // Begins a block whose first byte begins a record on `line`. `last` when no bytes come after it.
  void start(std::string_view block, uint64_t line, bool last);

  // The next record; false when the block has no whole one left (then carry what follows consumed() over to
  // the next block). Error (data), beginning with the line: a wrong number of fields, an unterminated quote,
  // text after a closing quote, a CR within a line, a NUL byte.
  bool next(Record& record);

  size_t consumed() const { return static_cast<size_t>(at_ - begin_); }
  uint64_t line() const { return line_; }  // of the byte at consumed()

 private:
  enum class Ending { kSeparator, kRecord, kUnfinished };

  bool is_blank(char c) const { return c == ' ' || (c == '\t' && layout_.separator != '\t'); }
  bool all_blank(const char* from, const char* to) const;
  std::string_view trim(const char* from, const char* to) const;
  bool only_blank_lines_left();
  Ending read_field(const char* begin, size_t column, Record& record);
  const char* skip_quoted(const char* open, std::string_view& text, bool& doubled);
  Ending end_line(const char* at);
  std::string_view unescape(std::string_view text, size_t slot);

  struct Want {
    size_t column;
    size_t slot;
  };

  CsvLayout layout_;
  std::vector<Want> wants_;            // by column, with one past all columns at the end
  std::deque<std::string> unescaped_;  // texts that had doubled quotes, by the slot they go to
  SpecialScan scan_;
  const char* begin_ = nullptr;
  const char* end_ = nullptr;
  const char* at_ = nullptr;       // the next record
  const char* resumes_ = nullptr;  // up to here it is known that text follows the blank lines
  const char* field_end_ = nullptr;
  const char* record_end_ = nullptr;
  const char* record_next_ = nullptr;
  const Want* want_ = nullptr;
  uint64_t line_ = 1;
  uint64_t lines_inside_ = 0;  // line ends within the present record's quotes
  bool last_ = true;
};

// Error (data): the record that begins on `line` is longer than `limit` bytes.
Error record_too_long(uint64_t line, size_t limit);

// The separator among `,` `;` and tab with which the first records agree best: as many fields in each, and as
// many as can be. `sample` is the beginning of the file, `whole` when it is all of it.
char detect_separator(std::string_view sample, bool whole);

}  // namespace fugu::inline in_csv
