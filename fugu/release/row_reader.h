// What a thread of the release does with a row before the noise: which value it has, whether it counts.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "fugu/models/column_name.h"
#include "fugu/models/joined_label.h"
#include "fugu/release/plan_values.h"
#include "fugu/release/released_values.h"
#include "fugu/release/row_cache.h"
#include "fugu/scenario/columns.h"
#include "fugu/table/record_parser.h"
#include "fugu/table/table_head.h"
#include "fugu/table/tally.h"

namespace fugu {

// Where a plan's columns are in a table.
struct RowLayout {
  // Columns, in the order of the fields: secrets (when counted, or checked in new data), given (when counted
  // or kept, or where rows are left out for their missing fields), published, kept.
  std::vector<size_t> wanted;
  size_t secrets = 0;                    // how many secret columns are read: of new data those that it has
  size_t given = 0;                      // how many given columns are read
  std::vector<std::string> given_names;  // as they stand in the groups' names
  // The secrets that the plan speaks of, where the counts do not show that there is no other.
  std::shared_ptr<const std::set<std::string>> known_secrets = nullptr;
  // The groups that may be released, when given columns are kept; null when every row may.
  std::shared_ptr<const std::set<std::string>> groups = nullptr;

  // Of new data: a label that other texts could make as well is none of the plan's, which does not say whose
  // texts it counted. A table that is counted shows whether two share one.
  bool only_plain_labels = false;

  // Of new data: the values that the plan speaks of; the counts of another table show that there is no other.
  std::shared_ptr<const PlanValues> values = nullptr;

  // Whether other columns are written beside the released ones: then no row is left out
  // (release/left_out_row.h).
  bool keeps = false;
  size_t released = 1;  // how many columns are released

  size_t published() const { return secrets + given; }  // the first of them
  std::vector<std::string> places;                      // of the wanted columns, for messages
  TableName name = {};                                  // of the table, for messages
  std::vector<ColumnName> names = {};                   // of the wanted columns, to see whether they are data
};

// Counts by group (empty where none is read), secret label and atom: the lattice index, or of several columns
// the place among the scenario's points, -1 for what is none of them.
using CellCounts = std::map<std::tuple<std::string, std::string, int64_t>, uint64_t>;

// What the rows of all readers must agree on, for a label to stand for one secret or group.
struct LabelsSeen {
  Tally secrets, parted_secrets, groups, parted_groups;
  MissingTexts missing;
  std::vector<ColumnName> names;
};

// One for each thread. A row is looked up as a whole: texts that came before cost one probe.
class RowReader {
 public:
  // `drop`: rows whose value is missing or unknown are dropped, whatever the source says.
  // `values` are those of each released column.
  RowReader(const RowLayout& layout, std::span<const ReleasedValues> values, const Scenario& scenario,
            bool drop)
      : layout_(layout),
        values_(values),
        scenario_(scenario),
        source_(*scenario.source),
        drop_(drop),
        names_(layout.names),
        secret_names_(layout.secrets) {}

  // The row's value, or kMissing when the row is to be dropped; of several columns the number of a joint
  // value that this reader has seen. Error (data), beginning with the line; (usage) of seen_to_be_left_out().
  Placed read(const Field* fields, uint64_t line) {
    uint32_t number = RowCache::kNone;
    const size_t published = layout_.published();
    if (published < 2 && layout_.released == 1 && fits(fields[0].text) && fits(fields[published].text)) {
      RowCache::Key key{};
      RowCache::put(fields[0].text, key.data());
      if (published == 1) RowCache::put(fields[1].text, key.data() + 2);
      number = cache_.find(key);
      if (number == RowCache::kNone) cache_.add(key, number = find(fields, line));
    } else {
      number = find(fields, line);
    }
    ++rows_seen_[number].count;
    return rows_seen_[number].placed;
  }

  // Of several columns: the joint value that read() gave that number.
  const Point& joint(int64_t number) const { return joints_[static_cast<size_t>(number)]; }

  // Adds what was read to `counts`.
  void collect(CellCounts& counts) const;
  // A field of a kept column, by its place among the wanted ones.
  void see_kept(size_t field, std::string_view text) {
    if (field < names_.size()) names_[field].see(text);
  }

  // Adds the labels of what was read to those of other readers. Error (data): two different secrets or groups
  // have one label.
  void check_labels(LabelsSeen& seen) const;
  // Whether a text means that the field is missing.
  bool is_missing(std::string_view text) const;

 private:
  static bool fits(std::string_view text) { return text.size() <= RowCache::kLongest; }
  uint32_t find(const Field* fields, uint64_t line);
  void look(const Field* fields, uint64_t line, size_t entry);
  std::optional<size_t> join(const Field* fields, JoinedLabel& secret, JoinedLabel& group,
                             uint64_t line) const;
  Placed left_out(size_t field, uint64_t line) const;
  Error fail(size_t field, uint64_t line, const char* what, const char* hint) const;
  std::string place_of(size_t first, size_t count) const;
  Placed place(const Field* published, size_t& column);
  Placed value_of(const Field* fields, uint64_t line, const std::string& group);
  bool has_mass(const Placed& placed, const std::string& group) const;

  const RowLayout& layout_;
  std::span<const ReleasedValues> values_;
  const Scenario& scenario_;
  const Source& source_;
  const bool drop_;
  std::vector<ColumnName> names_;
  const std::vector<std::string> secret_names_;  // before their texts: nothing
  RowCache cache_;                               // of short rows
  Tally rows_;
  std::string key_;
  struct Seen {
    Placed placed;       // kUnknown until it was looked at without an error
    uint64_t count = 0;  // how often it was read
    JoinedLabel secret;  // when counted
    JoinedLabel group;
  };
  std::vector<Seen> rows_seen_;  // by entry of rows_
  std::vector<Point> joints_;
  MissingTexts missing_;  // of rows that are released
};

}  // namespace fugu
