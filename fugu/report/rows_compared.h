// What each method leaves of a table's rows, side by side.
#pragma once

#include <string>
#include <vector>

#include "fugu/calibrate/calibrate.h"
#include "fugu/core/json.h"
#include "fugu/scenario/scenario.h"

namespace fugu::inline in_report {

// Two tables: by method, and of several columns by column. Empty where no candidate says anything.
std::string rows_text(const Scenario& scenario, const std::vector<Candidate>& candidates);

// How often the secret is guessed without any release and by true values, and whose guess that is: what the
// candidates' leakage stands beside. Empty where no candidate says anything.
std::string guessing_sentence(const Scenario& scenario, const std::vector<Candidate>& candidates);

// {"unchanged", "changed_columns", "columns": [{"unchanged", "rms", "spread"}], "frequencies_hold",
// "composes", "leakage"}. Precondition: there is something.
Json rows_to_json(const Candidate& candidate);

}  // namespace fugu::inline in_report
