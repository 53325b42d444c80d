// Reads an Arrow column value by value, as texts: each distinct value gets a number, and its text is made
// once.
//
// A null is the empty text, which is a missing field. Numbers are exact decimals: whole ones as they are,
// decimals with their digits, floats by the shortest decimal that reads back as them. Truth values are "true"
// and "false".
//
//   ArrowReader reader(arrow_type(schema, place), {"the table", "row"}, place);
//   reader.read(array, 0, array.length, first_row, numbers);   // numbers[k]: which value row k has
//   reader.text(numbers[0]);
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fugu/arrow/arrow_type.h"
#include "fugu/table/near_numbers.h"
#include "fugu/table/number_map.h"
#include "fugu/table/table_head.h"
#include "fugu/table/tally.h"

namespace fugu::inline in_arrow {

class ArrowReader {
 public:
  // `name` and `place` ("column 'race'") are for messages.
  ArrowReader(const ArrowType& type, TableName name, std::string place);

  // The numbers of the values at [from, from + count), rows `row` … (from 1) of the table, into `out`. Error
  // (data) with the row: a float that is no number, a text that holds a NUL.
  void read(const ArrowArray& array, int64_t from, int64_t count, uint64_t row, uint32_t* out);

  // Call it before the first read of a chunk: its dictionary may lie where another one was.
  void forget_dictionary() { dictionary_ = nullptr; }

  size_t size() const { return texts_.size(); }
  std::string_view text(uint32_t number) const { return texts_[number].key; }
  uint64_t first_row(uint32_t number) const { return texts_[number].line; }

 private:
  // Where values lie, from the first of a stretch on.
  struct Stretch {
    const ArrowArray& array;
    int64_t from, count;
    uint64_t row;
  };
  // number(k) of each value that is not null.
  template <class Number>
  void read_each(const Stretch& stretch, uint32_t* out, const Number& number);
  template <class Number>
  void read_numbers(const Stretch& stretch, uint32_t* out);
  template <class Offset>
  void read_texts(const Stretch& stretch, uint32_t* out);
  void read_views(const Stretch& stretch, uint32_t* out);
  void read_bools(const Stretch& stretch, uint32_t* out);
  void read_decimals(const Stretch& stretch, uint32_t* out);
  template <class Code>
  void read_codes(const Stretch& stretch, uint32_t* out);
  void read_plain(const Stretch& stretch, uint32_t* out);
  uint32_t number_of_code(const ArrowArray& values, uint64_t code, uint64_t row);
  uint32_t number_of_text(std::string_view text, uint64_t row);
  std::string date_of_raw(int64_t ticks, uint64_t row) const;
  std::string text_of_raw(uint64_t raw, uint64_t row) const;

  ArrowType type_;
  TableName name_;
  std::string place_;
  Tally texts_;
  NearNumbers numbers_;                     // of raw numbers: which value each is
  NumberMap<2> short_;                      // of decimals, and of texts of a few bytes with their length
  const ArrowArray* dictionary_ = nullptr;  // the one that codes_ are of
  std::vector<uint32_t> codes_;             // number of each code's value, kNoCode where not yet looked up
};

// Whether the value at `at` is null.
inline bool is_null(const ArrowArray& array, int64_t at) {
  const auto* bits = static_cast<const uint8_t*>(array.n_buffers > 0 ? array.buffers[0] : nullptr);
  const int64_t k = array.offset + at;
  return bits && array.null_count != 0 && (bits[k / 8] >> (k % 8) & 1) == 0;
}

}  // namespace fugu::inline in_arrow
