// Whether noise was used twice: pairs of rows, and of columns, that agree more often than independent ones.
//
// Rows are compared at fixed distances, in the order of the table and among the rows with the same true
// value, where a release that remembers values would repeat itself; columns in the same row and at the same
// distances. No pairs of one count have a row in common, so that they are independent.
#pragma once

#include <string>
#include <vector>

#include "fugu/audit/audited_rows.h"
#include "fugu/audit/output_law.h"
#include "fugu/audit/trials.h"

namespace fugu::inline in_audit {

// A count to be tested, and how its event is called.
struct TestedEvent {
  const char* check;
  std::string event;
  Trials trials;
};

// `names` are " of column 'age'", or empty where there is one; `median` is the level of the laws' medians.
void ask_pairs(const std::vector<OutputLaw>& laws, const AuditedRows& rows,
               const std::vector<std::string>& names, size_t median, std::vector<TestedEvent>& questions);

}  // namespace fugu::inline in_audit
