// A few rows before and after one simulated draw, as texts of a table.
#pragma once

#include <optional>
#include <string>

#include "fugu/preview/plan_rows.h"
#include "fugu/preview/preview.h"
#include "fugu/release/release_input.h"

namespace fugu::inline in_preview {

// Rows like those of the table: drawn from the plan's counts.
PreviewSample sample_of_plan(const Plan& plan, size_t count);

// The table's first rows that a release would write, through the same rule. Of a plan that takes some rows of
// each person nothing: which ones is not known before all of them are read. Errors of ReleaseInput and
// find_release_columns(). Error (data) with the line for a row that a release would refuse.
std::optional<PreviewSample> sample_of_table(const Plan& plan, const ReleaseRequest& table, size_t count);

}  // namespace fugu::inline in_preview
