// Rows that a release leaves out: what is assumed of them, and what the table says of that.
//
// A proof is about the values that are released. Whether a row is there at all may go with the secret, too:
// where half of a's values are missing and none of b's, a row that is there changes the odds by 2. Nothing is
// proved about that, so it is an assumption (docs/guarantees.md).
#pragma once

#include <string>
#include <vector>

#include "fugu/scenario/scenario.h"

namespace fugu::inline in_plan {

// The assumption, wherever rows may be left out.
inline constexpr const char* kLeftOutRows =
    "A row may be left out because a field is missing or because its value or its secret is none that the "
    "noise was made "
    "for: that it is left out, or not, is assumed to say nothing of its secret.";

// Beside it, for the owner: the odds that the rows which were dropped when the table was counted show, as a
// note. None where no row was.
std::vector<std::string> dropped_notes(const Scenario& scenario);

}  // namespace fugu::inline in_plan
