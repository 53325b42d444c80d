// What an actual release has left of its table: the plan's own counts beside a released table.
#pragma once

#include "fugu/core/progress.h"
#include "fugu/count/row_source.h"
#include "fugu/preview/preview.h"

namespace fugu::inline in_preview {

// The columns' shares, means, spreads and associations; nothing is simulated, and the secret, which no
// release has, is not among them. Known columns are looked at where the released table has them. Error
// (usage): a released column that the table does not have. Error (data): a text that no release by this plan
// holds, or no rows. Private: it tells the plan's counts.
Preview utility_of(const Plan& plan, RowSource& released, const Progress& progress);

// {"fugu", "private", "rows", "released", "columns", "associations"}: as in a preview.
Json utility_to_json(const Preview& utility);

}  // namespace fugu::inline in_preview
