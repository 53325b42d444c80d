// What is said of a budget that a release is counted against.
#pragma once

#include <string>

#include "fugu/ledger/ledger.h"

namespace fugu::cli {

// The time that it is, as the ledger keeps it: "2026-11-15T09:00:00Z".
std::string now();

// What is left, for people: lines as fugu release prints them.
std::string spent_text(const Spent& spent);

}  // namespace fugu::cli
