// Columns of a released file that the plan does not release: whether one gives away what the plan hides.
//
// What is said is certain: a name, or fields that are the same in every row.
#pragma once

#include <string>
#include <vector>

#include "fugu/audit/audited_rows.h"
#include "fugu/audit/original_rows.h"
#include "fugu/audit/row_checks.h"

namespace fugu::inline in_audit {

struct OtherColumns {
  Check check{"columns"};                // one test for each of the file's columns
  std::vector<std::string> unread = {};  // nothing more was asked of them
};

// A fault where a column has the name of a secret column, or the fields of one or of a released column's
// original, row by row; and where a known column has other fields than it. Preconditions: the file's other
// columns were read, and the original with its fields.
OtherColumns look_at_other_columns(const AuditedRows& rows, const OriginalRows& original);

}  // namespace fugu::inline in_audit
