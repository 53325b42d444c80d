// What a release tells the ledger of its table. Columns go by the names that the table itself gives them, so
// that one column has one name in all accounts.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fugu/ledger/ledger.h"
#include "fugu/plan/plan.h"
#include "fugu/release/release.h"
#include "fugu/table/table_head.h"

namespace fugu::inline in_ledger {

// The request with all that the ledger is to know of this release: what was kept, the table's head where it
// can be read beside the release (of a database or of a regular file), and what was seen of the rows. Before
// they are read the summary is empty. Errors of ChunkReader.
SpendRequest with_release(SpendRequest spending, const ReleaseRequest& request, const Plan& plan,
                          const ReleaseSummary& summary);

// Error (usage): the plan calls a column by its number that has a name of its own in the table, or the head
// cannot be seen and a name is a number. Columns that the table does not have keep the plan's name.
void check_ledger_names(const Source& source, const std::vector<std::string>& kept,
                        const std::optional<TableHead>& head);

}  // namespace fugu::inline in_ledger
