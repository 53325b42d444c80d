// The table that a release was made from: true values and secrets, row by row, as the release read them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fugu/audit/audited_rows.h"
#include "fugu/audit/odds.h"

namespace fugu {

struct OriginalRows {
  std::vector<std::vector<int64_t>> truth;  // by column
  std::vector<uint32_t> secret;  // of each row, its place among the plan's; their number for others
  bool is_the_plans = false;     // the plan was made from these rows

  // What was released of a secret's rows.
  Outputs outputs(const AuditedRows& rows, uint32_t number) const;
};

// Rows that the release left out are left out. Error (data) when other than `released` rows are left; errors
// of reading.
OriginalRows read_original(const Plan& plan, const std::string& path, std::optional<char> separator,
                           uint64_t released);

}  // namespace fugu
