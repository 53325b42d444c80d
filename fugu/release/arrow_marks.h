// Marking rows of a table in memory by the texts of some columns.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "fugu/models/arrow_rows.h"
#include "fugu/table/arrow_reader.h"
#include "fugu/table/arrow_type.h"

namespace fugu {

inline ArrowReader reader_of(const ArrowTable& table, size_t column) {
  const std::string place = table.head().column_place(column);
  return ArrowReader(arrow_type(table.column(column), table.head().file + ": " + place), table.head().name(),
                     place);
}

// Adds to the flag of each row what `gone` says of its text in a column.
template <class Gone>
void mark(const ArrowTable& table, size_t column, std::vector<uint8_t>& flags, const Gone& gone) {
  ArrowReader reader = reader_of(table, column);
  std::vector<uint8_t> is_gone;  // by the reader's numbers
  std::vector<uint32_t> numbers;
  uint64_t row = 0;
  for (size_t chunk = 0; chunk < table.chunks(); ++chunk) {
    numbers.resize(static_cast<size_t>(table.rows(chunk)));
    reader.forget_dictionary();
    reader.read(table.column(chunk, column), table.offset(chunk), table.rows(chunk), row + 1, numbers.data());
    while (is_gone.size() < reader.size())
      is_gone.push_back(static_cast<uint8_t>(gone(reader.text(static_cast<uint32_t>(is_gone.size())))));
    for (uint32_t number : numbers) flags[row++] |= is_gone[number];
  }
}

// The same for the texts of several columns together.
template <class Gone>
void mark(const ArrowTable& table, const std::vector<size_t>& columns, std::vector<uint8_t>& flags,
          const Gone& gone) {
  if (columns.size() == 1) {
    return mark(table, columns[0], flags, [&](std::string_view text) { return gone({text}); });
  }
  std::vector<ArrowReader> readers;
  for (size_t column : columns) readers.push_back(reader_of(table, column));
  std::map<std::vector<uint32_t>, uint8_t> is_gone;  // by the readers' numbers
  std::vector<std::vector<uint32_t>> numbers(columns.size());
  std::vector<uint32_t> key(columns.size());
  uint64_t row = 0;
  for (size_t chunk = 0; chunk < table.chunks(); ++chunk) {
    const auto count = static_cast<size_t>(table.rows(chunk));
    for (size_t k = 0; k < columns.size(); ++k) {
      numbers[k].resize(count);
      readers[k].forget_dictionary();
      readers[k].read(table.column(chunk, columns[k]), table.offset(chunk), table.rows(chunk), row + 1,
                      numbers[k].data());
    }
    for (size_t r = 0; r < count; ++r) {
      for (size_t k = 0; k < columns.size(); ++k) key[k] = numbers[k][r];
      const auto [found, is_new] = is_gone.try_emplace(key);
      if (is_new) {
        std::vector<std::string_view> texts;
        for (size_t k = 0; k < columns.size(); ++k) texts.push_back(readers[k].text(key[k]));
        found->second = static_cast<uint8_t>(gone(texts));
      }
      flags[row++] |= found->second;
    }
  }
}

}  // namespace fugu
