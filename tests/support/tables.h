// Reading whole tables, and random ones, for tests.
#pragma once

#include <fmt/format.h>
#include <rapidcheck.h>

#include <string>
#include <vector>

#include "fugu/core/error.h"
#include "fugu/csv/chunk_scan.h"
#include "fugu/csv/chunks.h"

namespace fugu {

using Rows = std::vector<std::vector<std::string>>;

inline std::vector<size_t> all_columns(const ChunkReader& reader) {
  std::vector<size_t> columns;
  for (size_t k = 0; k < reader.head().columns; ++k) columns.push_back(k);
  return columns;
}

// The header, if any, and the texts of all rows.
inline Rows read_all(const std::string& path, const CsvOptions& options) {
  ChunkReader reader(path, options);
  ChunkScanner scanner(reader.layout(all_columns(reader)));
  Rows rows;
  if (options.header) rows.push_back(reader.head().header);
  uint64_t line = reader.first_line();
  try {
    for (Chunk chunk; reader.next(chunk);) {
      auto visit = [&](const Field* fields, uint64_t, std::string_view) {
        rows.emplace_back();
        for (size_t k = 0; k < reader.head().columns; ++k) rows.back().emplace_back(fields[k].text);
      };
      line += scanner.scan(chunk, line, visit).lines;
    }
  } catch (const Error& error) {
    throw error.at(reader.head().file);
  }
  return rows;
}

// What a record looks like in a log.
inline std::string log_of(const Field* fields, size_t count, uint64_t line, std::string_view raw) {
  std::string log = fmt::format("{}: {}", line, raw);
  for (size_t k = 0; k < count; ++k) log += fmt::format("|{}|{}", fields[k].text, fields[k].raw);
  return log + "\n";
}

// A random table, and a random way to write it.
struct Written {
  Rows rows;
  std::string text;
  char separator;
};

inline std::string write_field(const std::string& field, char separator) {
  bool needs_quotes = field.find_first_of(std::string("\"\r\n \t") + separator) != std::string::npos;
  auto blanks = [&] {
    auto blank = rc::gen::element(' ', separator == '\t' ? ' ' : '\t');
    return *rc::gen::resize(2, rc::gen::container<std::string>(blank));
  };
  std::string before = blanks(), after = blanks();
  if (!needs_quotes && *rc::gen::arbitrary<bool>()) return before + field + after;
  std::string quoted = "\"";
  for (char c : field) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return before + quoted + "\"" + after;
}

inline Written random_table() {
  Written table;
  table.separator = *rc::gen::element(',', ';', '\t');
  auto field = rc::gen::resize(6, rc::gen::container<std::string>(rc::gen::element(
                                      'a', 'b', '1', ',', ';', '\t', ' ', '"', '\n', '\r', '\xC3')));
  auto columns = *rc::gen::inRange<size_t>(2, 5);
  auto height = *rc::gen::inRange<size_t>(1, 8);
  for (size_t row = 0; row < height; ++row) {
    table.rows.push_back(*rc::gen::container<std::vector<std::string>>(columns, field));
    for (size_t k = 0; k < columns; ++k) {
      if (k > 0) table.text += table.separator;
      table.text += write_field(table.rows.back()[k], table.separator);
    }
    if (row + 1 < height || *rc::gen::arbitrary<bool>())
      table.text += *rc::gen::element<std::string>("\n", "\r\n");
  }
  return table;
}

}  // namespace fugu
