// What a release leaves of a table's rows, in words: parts of sentences, without a full stop.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fugu/calibrate/calibrate.h"
#include "fugu/estimate/typical_share.h"
#include "fugu/plan/row_facts.h"

namespace fugu::inline in_report {

// "83.2 % of the values stay as they are"; of numbers how far they change beside how far they spread, in
// their own unit; of several columns the share of rows, then column by column. Never a distance between
// categories.
std::vector<std::string> kept_words(const Scenario& scenario, const RowFacts& rows);

// "frequencies hold as they stand: a share of 10.0 % is then known to about +-0.3 points".
std::string frequencies_words(const RowFacts& rows, const std::optional<TypicalShare>& share);

// What further releases of the same values cost.
const char* composes_words(Repeated repeated);

// Whether some released column is one of numbers.
bool has_numbers(const Scenario& scenario);

}  // namespace fugu::inline in_report
