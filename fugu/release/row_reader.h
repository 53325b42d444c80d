// What a thread of the release does with a row before the noise: its verdict (rows/row_rule.h), looked up
// where the same texts came before, and how often it came.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "fugu/count/column_name.h"
#include "fugu/count/people.h"
#include "fugu/csv/record_parser.h"
#include "fugu/csv/row_cache.h"
#include "fugu/release/row_draw.h"
#include "fugu/rows/row_rule.h"
#include "fugu/table/table_head.h"
#include "fugu/table/tally.h"

namespace fugu::inline in_release {

// Where a plan's columns are in a table, and what its rows are judged by.
struct RowLayout {
  RowTerms terms = {};
  // Columns, in the order of the fields: secrets (when counted, or checked in new data), given (when counted
  // or kept, or where rows are left out for their missing fields), published, kept; then whose a row is,
  // unless that is kept, and the watched ones.
  std::vector<size_t> wanted = {};
  std::vector<std::string> places = {};  // of the wanted columns, for messages
  TableName name = {};                   // of the table, for messages
  std::optional<size_t> person = {};  // which of the wanted ones tells whose a row is: one of each is taken
  std::optional<size_t> weight =
      {};                // which of the wanted ones says how much a row weighs, where that is compared
  Watched watched = {};  // the last of the wanted ones, where people may come again
  std::vector<ColumnName> names = {};  // of the wanted columns, to see whether they are data
  const RowDraw* draw = nullptr;       // where rows are drawn as a whole: it knows their places
};

// Counts by group (empty where none is read), secret label and atom: the lattice index, or of several columns
// the place among the scenario's points, -1 for what is none of them.
using CellCounts = std::map<std::tuple<std::string, std::string, int64_t>, uint64_t>;

// The sums of the rows' weights, where they have some, by the same cells.
using CellMasses = std::map<std::tuple<std::string, std::string, int64_t>, Rational>;

// What the rows of all readers must agree on, for a label to stand for one secret or group.
struct LabelsSeen {
  Tally secrets, parted_secrets, groups, parted_groups;
  MissingTexts missing;
  std::vector<ColumnName> names;
};

// One for each thread. A row is looked up as a whole: short texts that came before cost one probe.
class RowReader {
 public:
  // The layout must outlive the reader.
  explicit RowReader(const RowLayout& layout)
      : layout_(layout),
        terms_(layout.terms),
        rule_(layout.terms),
        names_(layout.names),
        cache_(layout.terms.fields()) {}

  // The number of the row among the distinct ones. Error of RowRule::refusal(), beginning with the line; of a
  // plan that takes one row of each person only by check_taken(), for the rows that are taken.
  uint32_t number(const Field* fields, uint64_t line);
  // The same of fields that ChunkScanner yields.
  FUGU_HOT uint32_t scanned_number(const Field* fields, uint64_t line) {
    return cache_.get(fields, [&] { return number(fields, line); });
  }
  void check_taken(uint32_t number, uint64_t line) const;
  // Counts the row once more.
  void add(uint32_t number, uint64_t times = 1) { counts_[number] += times; }
  // The same with a weight: a row of none counts for nothing. Error (data) with the line for what is none.
  void add_weighted(uint32_t number, std::string_view weight, uint64_t line, uint64_t times = 1);
  // Whether it is released, of one column with which value; of rows that are drawn as a whole, its place.
  Placed placed(uint32_t number) const { return rows_seen_[number].placed; }
  // The same index, and whether each distinct row so far is released.
  int64_t index(uint32_t number) const { return indices_[number]; }
  bool releases_all() const { return released_ == rows_seen_.size(); }
  // Whether it counts: it is released, or left out with all of its stratum.
  bool is_counted(uint32_t number) const { return rows_seen_[number].is_counted(); }
  // Where columns are known: where it belongs.
  Stratum stratum(uint32_t number) const { return rows_seen_[number].stratum; }
  // Of a row that is released: the value of each column, and the label of its secret.
  const Point& value(uint32_t number) const { return rows_seen_[number].value; }
  const std::string& secret(uint32_t number) const { return rows_seen_[number].secret.label; }
  // Its texts, parted by NUL.
  std::string_view texts(uint32_t number) const { return rows_[number].key; }

  const RowRule& rule() const { return rule_; }

  // Adds what was read to `counts`.
  void collect(const std::vector<Point>& points, CellCounts& counts, CellMasses& masses) const;
  // A field of a kept column, by its place among the wanted ones.
  void see_kept(size_t field, std::string_view text) {
    if (field < names_.size()) names_[field].see(text);
  }

  // Adds the labels of what was read to those of other readers. Error (data): two different secrets or groups
  // have one label.
  void check_labels(LabelsSeen& seen) const;

 private:
  void look(const Field* fields, uint64_t line, size_t entry);
  Error refusal(const RowVerdict& verdict, uint64_t line) const;
  std::string place_of(size_t first, size_t count) const;

  const RowLayout& layout_;
  const RowTerms& terms_;
  RowRule rule_;
  std::vector<ColumnName> names_;
  RowCache cache_;  // of short rows
  Tally rows_;
  std::string key_;
  struct Seen {
    Placed placed;      // kUnknown until it was looked at without an error, kMissing when it is left out
    Rational mass = 0;  // the sum of its weights, where it has some
    JoinedLabel secret;
    JoinedLabel group;
    Stratum stratum;
    Point value;

    bool is_counted() const { return placed.kind == Placed::kValue || stratum.kind == Stratum::kLeftOut; }
  };
  // By entry of rows_; what is asked for each row of the table lies close together.
  std::vector<Seen> rows_seen_;
  std::vector<uint64_t> counts_;  // how often it was read
  std::vector<int64_t> indices_;
  size_t released_ = 0;   // of the distinct rows
  MissingTexts missing_;  // of rows that are released
};

}  // namespace fugu::inline in_release
