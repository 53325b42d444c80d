// Between the texts of the published column and the lattice: what a field means, and how a released value is
// written.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fugu/release/column_map.h"
#include "fugu/scenario/shape.h"
#include "fugu/table/database_table.h"

namespace fugu {

// What the text of a field is to the plan.
struct Placed {
  enum Kind : uint8_t { kValue, kMissing, kUnknown } kind = kUnknown;
  int64_t index = 0;  // on the lattice, for a value
};

class ReleasedValues {
 public:
  // `known`, where given, are the only lattice points that are values. Error (usage) when the lattice's
  // values cannot be written as decimals.
  ReleasedValues(const ColumnMap& map, char separator, const std::vector<int64_t>* known = nullptr);

  // The value that the plan's map gives this text: a category, or a number on (or snapped to) the lattice.
  Placed place(std::string_view text) const;

  // What write() may write, as a column of a new table: its content and range.
  NewColumn column() const;
  // The most bytes that write() writes.
  size_t longest() const { return longest_; }
  // Writes the value at a lattice index, held within bounds where the scenario says so, in quotes where the
  // text needs them; returns the end. What is written depends on the index alone: how the input's field was
  // written may go with the secret. Precondition: |index| < 2^62.
  char* write(char* to, int64_t index) const;

  // Of numbers, what write() writes, as a whole number of 10^-places() each.
  int places() const { return places_; }
  __int128 scaled(int64_t index) const { return first_ + each_ * held(index); }

 private:
  struct Short {  // a value that is often written, with its length
    char text[15];
    uint8_t size;
  };

  // The index that is written: within the range where the scenario says so.
  int64_t held(int64_t index) const {
    return clamps_ ? std::clamp(index, range_.first, range_.second) : index;
  }
  char* write_number(char* to, int64_t index) const;
  Placed find(std::string_view text) const;

  std::optional<std::vector<int64_t>> known_;
  std::vector<std::string> labels_;  // by index - 1, in quotes where they need them
  std::vector<std::string> na_;
  Shape shape_;  // the map that the values were counted by
  bool categories_, keeps_missing_, clamps_;
  // A number is (first_ + index * each_) / 10^places_.
  int places_ = 0;
  __int128 first_ = 0, each_ = 0;
  int64_t low_ = 0, high_ = 0;  // of the values
  std::pair<int64_t, int64_t> range_;
  std::vector<Short> near_;  // the numbers around the data, from near_low_ on
  int64_t near_low_ = 0;
  size_t longest_ = 0;
};

}  // namespace fugu
