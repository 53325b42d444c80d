// ArrowRelease::check_values: what a row's released columns say together, and for its group.
#include <fmt/format.h>

#include <algorithm>

#include "fugu/core/error.h"
#include "fugu/release/arrow_marks.h"
#include "fugu/release/arrow_table.h"
#include "fugu/release/left_out_row.h"
#include "fugu/release/released_values.h"

namespace fugu {
namespace {

// kMissing and kUnknown: what one of the columns shows by itself.
enum Flag : uint8_t { kFine, kMissing, kUnknown, kTogether, kNoGroup };

// What is to be said of a row of these texts: of the given columns, then of the released ones.
class RowLook {
 public:
  RowLook(const Plan& plan, const std::vector<ColumnRelease>& columns, size_t given, bool new_rows)
      : source_(*plan.scenario.source), given_(given) {
    for (const ColumnRelease& column : columns)
      values_.emplace_back(column.map, ',', inputs_of(column.mechanism));
    if (new_rows) known_.emplace(plan.scenario);
  }

  Flag operator()(const std::vector<std::string_view>& texts) const {
    JoinedLabel group;
    for (size_t k = 0; k < given_; ++k) {
      const bool gone = means_missing(texts[k], source_.na);
      if (gone && source_.missing == "error") return kNoGroup;
      group.add(given_prefix(source_.given[k]), gone ? std::string_view(kMissingLabel) : texts[k]);
    }
    Point point;
    bool missing = false;
    for (size_t c = 0; c < values_.size(); ++c) {
      const Placed placed = values_[c].place(texts[given_ + c]);
      if (placed.kind == Placed::kUnknown) return kUnknown;
      missing = missing || placed.kind == Placed::kMissing;
      point.push_back(placed.index);
    }
    if (missing) return kMissing;
    const bool known =
        !known_ || (point.size() == 1 ? known_->has(group.label, point[0]) : known_->has(group.label, point));
    return known ? kFine : kTogether;
  }

 private:
  const Source& source_;
  const size_t given_;
  std::vector<ReleasedValues> values_;
  std::optional<PlanValues> known_;
};

}  // namespace

// A column by itself needs no more than release_column() does.
void ArrowRelease::check_values(const ArrowTable& table, const TableReleaseOptions& options, bool new_rows,
                                std::vector<uint8_t>& left_out) const {
  const auto& source = plan_.scenario.source;
  if (is_alone(table) || !source || !(new_rows || options.drop || source->missing == "drop")) return;
  const std::vector<std::string>& header = table.head().header;
  const bool has_groups = std::all_of(source->given.begin(), source->given.end(), [&](const auto& name) {
    return std::count(header.begin(), header.end(), name) > 0;
  });
  const size_t given = new_rows && has_groups ? source->given.size() : 0;
  if (given == 0 && columns_.size() == 1) return;
  std::vector<size_t> places;
  for (size_t k = 0; k < given; ++k) places.push_back(table.head().column(source->given[k], "given"));
  const std::vector<size_t> released = released_places(table);
  places.insert(places.end(), released.begin(), released.end());
  std::vector<uint8_t> flags(table.rows());
  mark(table, places, flags, RowLook(plan_, columns_, given, new_rows));
  left_out.resize(table.rows());
  for (size_t row = 0; row < flags.size(); ++row) {
    if (flags[row] == kFine || left_out[row] != 0) continue;
    const bool wrong = flags[row] == kUnknown || (flags[row] == kMissing && source->missing != "drop");
    if (wrong && !options.drop) continue;  // release_column() says so
    const std::string where = table.head().name().row(row + 1) + ", " +
                              table.head().column_place(flags[row] == kNoGroup ? places[0] : released[0]);
    if (flags[row] == kNoGroup && !options.drop)
      throw Error(ErrorKind::kData, where + ": the field is missing", "--missing drop leaves such rows out");
    if (flags[row] == kTogether && !options.drop) {
      throw Error(ErrorKind::kData,
                  where + ": the plan does not know this value" +
                      (columns_.size() > 1 ? " together with those of the other released columns" : ""),
                  "correct the row, calibrate with a table that has it, or leave such rows out with drop");
    }
    if (options.beside_kept) throw seen_to_be_left_out(where);
    left_out[row] = 1;
  }
}

}  // namespace fugu
