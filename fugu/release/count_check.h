// Whether a table that was read is the one that a plan was made from.
#pragma once

#include "fugu/release/row_reader.h"
#include "fugu/scenario/scenario.h"

namespace fugu::inline in_release {

// True when the counts, or where rows have weights their sums, are those of the scenario's first prior, and
// group by group those of the given columns' priors; where columns are known, stratum by stratum those of
// the strata. Priors that the table does not have came from files.
// Precondition: the scenario has a source.
bool are_counts_of(const Scenario& scenario, const CellCounts& counts, const CellMasses& masses = {});

// The same of a column by itself, whose rows' secrets are not known: how often each value comes, all secrets
// together.
bool are_values_of(const Scenario& scenario, const std::vector<std::pair<int64_t, uint64_t>>& counts);

}  // namespace fugu::inline in_release
