// Between the texts of the published column and the lattice: what a field means, and how a released value is
// written.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fugu/database/database_table.h"
#include "fugu/release/column_map.h"
#include "fugu/rows/field_values.h"
#include "fugu/table/hot.h"

namespace fugu::inline in_release {

// For what is no CSV: no number needs quotes.
inline constexpr char kNoSeparator = '\0';

class ReleasedValues {
 public:
  // `known`, where given, are the only lattice points that are values. Error (usage) when the lattice's
  // values cannot be written as decimals.
  ReleasedValues(const ColumnMap& map, char separator, const std::vector<int64_t>* known = nullptr);

  // What the texts of the column are.
  const FieldValues& fields() const { return fields_; }

  // What write() may write, as a column of a new table: its content and range.
  NewColumn column() const;
  // The most bytes of a text that write() writes.
  size_t longest() const { return longest_; }
  // How many bytes behind a text it may write besides.
  static constexpr size_t kRoom = 16;
  // Writes the value at a lattice index, held within bounds where the scenario says so, in quotes where the
  // text needs them; returns the end. What is written depends on the index alone: how the input's field was
  // written may go with the secret. Precondition: |index| < 2^62.
  FUGU_HOT char* write(char* to, int64_t index) const {
    index = held(index);
    const auto near = static_cast<uint64_t>(index) - static_cast<uint64_t>(near_low_);
    if (near >= near_.size()) [[unlikely]]
      return write_any(to, index);
    std::memcpy(to, &near_[near], sizeof(Short));
    return to + near_[near].size;
  }

  // write() of each, and an LF behind it.
  char* write_lines(char* to, std::span<const int64_t> indices) const;

  // Whether write() writes numbers as everybody does.
  bool is_plain() const { return reads_.is_plain(); }
  bool is_date() const { return reads_.date.has_value(); }
  // Of dates the day since 1970-01-01 that write() writes.
  int64_t day(int64_t index) const;
  // Of numbers, what write() writes, as a whole number of 10^-places() each.
  int places() const { return places_; }
  __int128 scaled(int64_t index) const { return first_ + each_ * held(index); }
  // Whether scaled_quickly() gives the same of every index of less than kNear either way.
  static constexpr int64_t kNear = int64_t{1} << 31;
  bool is_quick() const {
    return each_ < (int64_t{1} << 30) && each_ > -(int64_t{1} << 30) &&
           (!holds_ || (range_.first > -kNear && range_.second < kNear));
  }
  int64_t scaled_quickly(int64_t index) const {
    return static_cast<int64_t>(first_) + static_cast<int64_t>(each_) * held(index);
  }

 private:
  struct Short {  // a value that is often written, with its length
    char text[kRoom - 1];
    uint8_t size;
  };

  // The index that is written: within the range where the scenario says so, and within the calendar.
  int64_t held(int64_t index) const {
    return holds_ ? std::clamp(index, range_.first, range_.second) : index;
  }
  char* write_any(char* to, int64_t index) const;
  char* write_number(char* to, int64_t index) const;
  void keep_near(int64_t low, int64_t high);
  char* write_digits(char* to, __int128 value) const;
  void hold_within_calendar(const Lattice& lattice);

  FieldValues fields_;
  std::vector<std::string> labels_;  // by index - 1, in quotes where they need them
  bool categories_, clamps_;
  bool holds_;  // within range_
  Reading reads_;
  bool quotes_ = false;  // a number needs them
  // A number is (first_ + index * each_) / 10^places_.
  int places_ = 0;
  __int128 first_ = 0, each_ = 0;
  int64_t low_ = 0, high_ = 0;  // of the values
  std::pair<int64_t, int64_t> range_;
  std::vector<Short> near_;  // short labels, or the numbers around the data, from near_low_ on
  int64_t near_low_ = 0;
  size_t longest_ = 0;
};

}  // namespace fugu::inline in_release
