// Columns that look like people's numbers, noticed while a table is read: a person in two rows is released
// twice, unless somebody says whose the rows are (--person) or that they are independent.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include <vector>

#include "fugu/core/error.h"
#include "fugu/count/column_kind.h"
#include "fugu/rows/joined_label.h"
#include "fugu/table/number_map.h"
#include "fugu/table/table_head.h"

namespace fugu::inline in_count {

// The columns that are looked at, and which texts of theirs mean missing.
struct Watched {
  std::vector<size_t> columns = {};
  std::vector<std::string> na = {};
  friend bool operator==(const Watched&, const Watched&) = default;
};

// Those whose names say that they may hold people's numbers, less those that are used: whoever names a column
// as the secret, given or released says what it is.
Watched watched_columns(const TableHead& head, const std::vector<size_t>& used,
                        const std::vector<std::string>& na);

// How often the values of one column come, in bounded memory: all of up to a million values, of more those
// whose hashes end in zeros, as a sample.
class RepeatCounter {
 public:
  void add(std::string_view text, uint64_t times = 1) {
    add_hash(std::hash<std::string_view>{}(text), times);
  }
  void add(const RepeatCounter& other);
  Repeats seen() const;

 private:
  void add_hash(uint64_t hash, uint64_t times);
  void keep(unsigned zeros);

  struct Value {
    uint64_t hash, rows;
  };
  std::vector<Value> values_;
  NumberMap<1> places_;  // of a hash among these
  unsigned zeros_ = 0;   // that a hash must end in
};

// One counter for each watched column; missing fields are not counted.
class WatchedCounts {
 public:
  WatchedCounts() = default;
  explicit WatchedCounts(const Watched& watched) : na_(watched.na), columns_(watched.columns.size()) {}

  void add(size_t column, std::string_view text, uint64_t times = 1) {
    if (!means_missing(text, na_)) columns_[column].add(text, times);
  }
  void add(const WatchedCounts& other) {
    columns_.resize(std::max(columns_.size(), other.columns_.size()));
    for (size_t k = 0; k < other.columns_.size(); ++k) columns_[k].add(other.columns_[k]);
  }
  bool empty() const { return columns_.empty(); }
  Repeats seen(size_t column) const { return columns_[column].seen(); }

 private:
  std::vector<std::string> na_;
  std::vector<RepeatCounter> columns_;
};

// Error (usage): a watched column repeats people.
void check_people(const TableHead& head, const Watched& watched, const WatchedCounts& counts);
// What it says of one column.
Error people_repeat(const std::string& file, const std::string& place, const std::string& name);

}  // namespace fugu::inline in_count
