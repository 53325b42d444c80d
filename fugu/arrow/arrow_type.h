// The types of Arrow columns that fugu reads, and what it calls the others.
#pragma once

#include <cstdint>
#include <string>

#include "fugu/arrow/arrow_abi.h"

namespace fugu::inline in_arrow {

struct ArrowType {
  enum Kind : uint8_t { kNull, kBool, kInt, kUint, kFloat, kDecimal, kText, kDate };
  enum Texts : uint8_t { kShort, kLarge, kViews };  // how a text column is laid out

  Kind kind = kNull;
  int bytes = 0;  // of one number
  int precision = 0, scale = 0;
  // Of dates what is counted since 1970-01-01: 'D' days, 'M' milliseconds of whole days; of timestamps 's',
  // 'm', 'u', 'n': seconds to nanoseconds.
  char ticks = 0;
  Texts texts = kShort;
  int index_bytes = 0;  // of a dictionary's codes; 0 where there is none
  bool index_unsigned = false;
  bool ordered = false;

  bool is_dictionary() const { return index_bytes != 0; }
  bool is_number() const { return kind == kInt || kind == kUint || kind == kFloat || kind == kDecimal; }
  int64_t ticks_per_day() const;
  friend bool operator==(const ArrowType&, const ArrowType&) = default;
};

// The type of a column; of a dictionary that of its values. Error (data), beginning with `place`, for types
// that have no place on a lattice: it names the type, and says what to do.
ArrowType arrow_type(const ArrowSchema& schema, const std::string& place);

}  // namespace fugu::inline in_arrow
