// The table that a release was made from: true values and secrets, row by row, as the release read them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fugu/audit/audited_rows.h"
#include "fugu/audit/odds.h"
#include "fugu/rows/strata.h"

namespace fugu::inline in_audit {

// Of each row the known texts of its stratum, as Prior has them; empty where no columns are known.
using KnownOfRows = std::vector<const std::vector<std::string>*>;

struct OriginalRows {
  std::vector<std::vector<int64_t>> truth;  // by column
  std::vector<uint32_t> secret;  // of each row, its place among the plan's; their number for others
  std::vector<size_t> prior;     // of each row, the one that the table itself gives its stratum
  bool is_the_plans = false;     // the plan was made from these rows
  std::shared_ptr<const Strata> strata = {};  // where columns are known
  KnownOfRows known = {};                     // within `strata`
  // Names of columns; none without a header.
  std::vector<std::string> secret_names = {}, released_names = {};
  // Where asked for: the secret and the released columns, and the given ones.
  std::vector<ColumnTexts> hidden = {}, given = {};

  // What was released of a secret's rows under a prior.
  Outputs outputs(const AuditedRows& rows, size_t of_prior, uint32_t number) const;
};

struct OriginalTable {
  std::string path;
  std::optional<char> separator = {};
  bool fields = false;  // OriginalRows::hidden and ::given are wanted
};
struct ReleasedSize {
  std::string path;
  uint64_t rows = 0;
};
// Rows that the release left out are left out. Error (data) when other than `released` rows are left; errors
// of reading.
OriginalRows read_original(const Plan& plan, const OriginalTable& table, const ReleasedSize& released);

}  // namespace fugu::inline in_audit
