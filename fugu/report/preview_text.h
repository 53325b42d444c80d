// What a release would leave of its table, for a terminal of 100 columns.
#pragma once

#include <string>

#include "fugu/preview/preview.h"
#include "fugu/preview/statement_preview.h"

namespace fugu::inline in_report {

// Private, like the plan that the scenario is of.
std::string preview_text(const Scenario& scenario, const Preview& preview);

// May be published, like the statement.
std::string preview_text(const StatementPreview& preview);

}  // namespace fugu::inline in_report
