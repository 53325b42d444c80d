// What the ledger calls columns: by the names that the table itself gives them, so that one column has one
// name in all accounts.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fugu/plan/plan.h"
#include "fugu/release/release.h"
#include "fugu/table/table_head.h"

namespace fugu {

// The head of the table that is released, where it can be read beside the release: of a database or of a
// regular file. Errors of ChunkReader.
std::optional<TableHead> readable_head(const ReleaseRequest& request, const Plan& plan);

// Error (usage): the plan calls a column by its number that has a name of its own in the table, or the head
// cannot be seen and a name is a number. Columns that the table does not have keep the plan's name.
void check_ledger_names(const Source& source, const std::vector<std::string>& kept,
                        const std::optional<TableHead>& head);

}  // namespace fugu
