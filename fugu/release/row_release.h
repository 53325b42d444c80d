// Released rows without the question behind them: how the fields of the known and the released columns become
// places and lattice points, and what is drawn for them.
//
// This is what a worker on another machine gets where rows trade places as a whole or columns are known: no
// secrets, and no counts but how often each row occurs where rows trade places. It is private.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fugu/core/json.h"
#include "fugu/plan/plan.h"
#include "fugu/release/arrow_release.h"
#include "fugu/release/row_draw.h"

namespace fugu::inline in_release {

// Whether a plan's rows are released by what several of their columns say.
bool releases_rows(const Plan& plan);

// Invariant: `rows` is there where the columns have no mechanisms.
struct RowRelease {
  std::vector<ColumnRelease> columns;
  std::optional<Swap> rows;             // whole rows that trade places
  std::vector<std::string> known = {};  // columns
  bool header = true;                   // they have names
  Strata strata{std::vector<StratumPlace>{}};
  PlanValues values{Runs{}};
};

// That of a plan. Nothing is verified here.
RowRelease row_release(const Plan& plan);

Json row_release_to_json(const RowRelease& release);
// Error (data) with `place`.
RowRelease row_release_from_json(const Json& json, const std::string& place);

struct RowReleaseOptions {
  bool drop = false;          // leave out rows that the plan would refuse
  bool beside_kept = false;   // other columns go along: a row to be left out is an Error (usage)
  bool plain_labels = false;  // new rows: a group that other texts could make as well is none of the plan's
};

// Releases parts of a table by it, one after the other.
class RowsReleaser {
 public:
  explicit RowsReleaser(RowRelease release);
  RowsReleaser(const RowsReleaser&) = delete;

  // The columns are the known ones and then the released ones, whatever they are called. Errors of
  // release_arrow(); Error (usage) for another number of columns.
  ArrowReleased part(const ArrowTable& table, const RowReleaseOptions& options,
                     const Progress& progress) const;
  const RowRelease& release() const { return release_; }

 private:
  RowLayout layout_of(const ArrowTable& table, const RowReleaseOptions& options) const;

  const RowRelease release_;
  const std::shared_ptr<const Strata> strata_;  // null where nothing is known
  const std::shared_ptr<const PlanValues> values_;
  const RowDraw draw_;
};

}  // namespace fugu::inline in_release
