// Reads a CSV or TSV table, record by record, in bounded memory.
//
//   CsvReader reader("people.csv", {});
//   reader.select({reader.column("race", "--secret"), reader.column("age", "--public")});
//   for (Record record; reader.next(record);) count(record.fields[0].text, record.fields[1].text);
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fugu/core/progress.h"
#include "fugu/table/byte_source.h"
#include "fugu/table/chunks.h"
#include "fugu/table/record_parser.h"

namespace fugu {

class CsvReader {
 public:
  // Opens the table ("-" is standard input) and reads its first record. A UTF-8 byte order mark is skipped.
  // Error (io): missing, directory, unreadable. Error (data): empty, or not CSV. Error (usage): a compressed
  // file, a separator that cannot be one.
  CsvReader(const std::string& path, const CsvOptions& options, Progress progress = {});

  const std::string& name() const { return source_.name(); }  // the file, for messages
  char separator() const { return separator_; }
  size_t columns() const { return columns_; }
  const std::vector<std::string>& header() const { return header_; }  // empty without one

  // The column (from 0) with that name, or else with that number (from 1). Error (usage), naming `option`:
  // there is none, or several have the name.
  size_t column(const std::string& text, const std::string& option) const;
  // The text that column() reads as this column: its name where it is the only one of that name, else its
  // number. Error (usage) where neither works, (data) where the name is not UTF-8.
  std::string column_text(size_t column) const;
  // For messages: "column 'race'", or "column 3".
  std::string column_place(size_t column) const;

  // Which fields next() yields, in this order. Call it once, before next().
  void select(std::vector<size_t> columns);
  // The next record after the header; false at the end. Error (data) as RecordParser::next, with the file.
  bool next(Record& record);

 private:
  void refill();
  void fill_to(size_t size);
  void read_first_record(bool header);
  std::string column_list() const;
  std::string_view rest() const { return std::string_view(buffer_).substr(begin_, end_ - begin_); }

  ByteSource source_;
  CsvOptions options_;
  Progress progress_;
  std::string buffer_;
  size_t begin_ = 0;  // the unread bytes of the buffer
  size_t end_ = 0;
  bool at_end_ = false;  // no bytes come after the buffer's
  char separator_ = ',';
  size_t columns_ = 0;
  std::vector<std::string> header_;
  uint64_t line_ = 1;  // of the byte at begin_
  RecordParser parser_;
};

}  // namespace fugu
