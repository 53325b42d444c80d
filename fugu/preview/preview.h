// What a release by a plan would leave of its table: shares, means, associations and a few rows, before and
// after.
//
//   const Preview shown = preview_of(plan, {});
//   std::string json = preview_to_json(shown).pretty();
//
// Before is what the plan itself holds: the owner's counts of every secret and value. After are averages over
// simulated draws of the plan's own sampler (release/row_draw.h), which are thrown away: never the draw of a
// release. So both are private, like the plan. No privacy rests on these numbers, which are doubles.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fugu/core/json.h"
#include "fugu/count/arrow_rows.h"
#include "fugu/plan/leakage.h"
#include "fugu/plan/plan.h"
#include "fugu/preview/association.h"
#include "fugu/preview/drawn_rows.h"
#include "fugu/release/release.h"

namespace fugu::inline in_preview {

struct PreviewOptions {
  std::optional<uint64_t> draws = {};  // 1 to kMostDraws; absent: 20, of small tables more
  uint64_t simulated = 200'000;        // rows of all draws together, at most: larger tables are scaled down
  size_t sample = 10;                  // rows to show, at most kMostSampleRows
  // Two columns to be counted by each other: released, known, or the secret.
  std::optional<std::pair<std::string, std::string>> cross = {};
  // The table whose first rows are shown; without, rows are drawn from the plan's counts.
  std::optional<ReleaseRequest> table = {};
  const ArrowTable* arrow = nullptr;  // the same in memory
  // Where it is known already: it can take a second.
  std::optional<Leakage> leakage = {};
};
inline constexpr size_t kMostSampleRows = 1000;

// Of a column of numbers.
struct PreviewNumbers {
  double mean_before = 0, mean_after = 0;
  double mean_deviation = 0;  // of a release's mean, one sigma
  double spread_before = 0, spread_after = 0;
  std::string mean_before_text = {}, mean_after_text = {};  // of dates
};

// What is shown of a column: released, known (which is written as it is), or the secret.
struct PreviewColumn {
  std::string name;
  bool number = false;  // else a category
  bool date = false;    // a number of days
  bool known = false;
  std::vector<std::string> labels = {};    // values, or bins of numbers
  std::vector<double> before = {};         // by label: the share of rows
  std::vector<double> after = {};          // the same of the simulated draws
  std::vector<double> deviation = {};      // by how much a release's share differs from that: one sigma
  std::vector<std::string> vanished = {};  // of which hardly a row is left
  double unchanged = 1;                    // the share of rows whose value stays
  using Numbers = PreviewNumbers;
  std::optional<Numbers> numbers = {};
};

// Shares of all rows by two columns, whose labels are theirs.
struct PreviewCross {
  std::string row_column, column_column;
  std::vector<std::string> row_labels, column_labels;
  std::vector<std::vector<double>> before, after;
};

// A few rows. Texts as a table has them.
struct PreviewSample {
  std::vector<std::string> columns = {};  // known ones, then released ones
  std::vector<std::vector<std::string>> before = {}, after = {};
  std::vector<std::string> secrets = {};  // of each row
  bool secret_released = false;           // the secret is one of the released columns, too
  bool of_table = false;                  // its first rows; else drawn from the plan's counts
};

struct Preview {
  std::optional<uint64_t> rows = {};  // of the table; a scenario without one does not say
  uint64_t draws = 0;
  uint64_t simulated = 0;  // rows of each draw
  double unchanged = 1;    // the share of rows that stay as they are
  std::vector<PreviewColumn> columns = {};
  std::vector<std::string> names = {};  // of the associations: columns, the secret last
  std::vector<std::vector<Measure>> measures = {};
  std::vector<std::vector<std::optional<double>>> before = {}, after = {};  // none where one is constant
  std::optional<PreviewCross> cross = {};
  Leakage leakage = {};
  PreviewSample sample = {};
  std::vector<std::string> notes = {};
};

// Error (usage): a column to cross that is none of the plan's, or no draws; errors of RowDraw and of
// sample_of_table(). Error (io) when there is no entropy. Precondition: the plan was verified.
Preview preview_of(const Plan& plan, const PreviewOptions& options);

// docs/formats.md, "Preview".
Json preview_to_json(const Preview& preview);

}  // namespace fugu::inline in_preview
