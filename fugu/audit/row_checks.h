// Whether released rows can come from the plan's mechanism: each a test with a proved false-alarm rate.
//
// Which faults are looked for: an output that the mechanism never gives; a law of the noise that is too
// narrow, too wide, shifted, or has lost a tail (cuts of the law at fixed levels); values that were released
// as they are; outputs rounded to even lattice points; noise that was used twice (row_pairs.h); outputs of a
// stratum that are drawn as others' (the same counts, of its rows); and outputs that depend on the secret
// beyond the value (the same, of one secret's rows).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fugu/audit/audited_rows.h"

namespace fugu::inline in_audit {

// One thing that was looked at, by so many tests.
struct Check {
  std::string name;  // "columns", "texts", "possible", "law", "digits", "rows", "secrets"
  uint64_t tests = 0;
  std::optional<std::string> fault = {};  // what contradicts it
  double rarity = 1;                      // of what contradicts it most, in a right release: at most
};

// Rows that are counted apart as well: those of a stratum, whose values may be drawn in another way than
// others', or those of a secret, on which an output must not depend where the true value is given.
struct RowGroups {
  const char* check;             // "law" or "secrets": what a fault belongs to
  std::vector<uint32_t> of_row;  // a place among the names, or their number for rows of no group
  std::vector<std::string> names;
};

// `error` is the most that the probability of any fault among right rows may be. No true value is in what is
// said. Precondition: as many columns as the rows have.
std::vector<Check> check_rows(const std::vector<ColumnRelease>& columns, const AuditedRows& rows,
                              const Rational& error, const std::vector<RowGroups>& groups = {});

}  // namespace fugu::inline in_audit
