// A release that a ledger counts, wherever it goes: written down before anything of it appears, and noted
// when it has. Every front end that releases within a budget does so here.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "fugu/ledger/ledger.h"
#include "fugu/release/release.h"

namespace fugu::inline in_ledger {

struct Budgeted {
  std::string ledger = {};     // its file; empty where nothing counts releases
  SpendRequest spending = {};  // what is known before the release is made
};

// For what makes a release: called once, when it is whole and nothing of it has appeared. What it throws
// stops the release.
using CountIt = std::function<void(const ReleaseSummary&)>;

// Calls `make`, which calls what it is given before anything appears and returns when all has. Returns what
// is then spent, nothing without a ledger. A release that was counted and did not appear stays counted:
// whether it was seen is not known. Errors of `make` and Ledger::spend(); Error (bug) when `make` returns and
// has not counted.
std::optional<Spent> release_within_budget(const Budgeted& budget, const Plan& plan,
                                           const ReleaseRequest& request, const Progress& progress,
                                           const std::function<void(const CountIt&)>& make);

// What would become of such a release (Ledger::ask), which is not made: its rows are not read. Of the request
// only what is kept and dropped matters.
Outlook ask_within_budget(const Budgeted& budget, const Plan& plan, const ReleaseRequest& request);

// Reserves a joint plan for later releases of its columns (family.h): counted at once, and nothing is
// released. Where the request names a table, its rows are read, must be the plan's, and later ones are
// compared with them; else the plan alone is verified, and it takes the user's word that values have not
// changed. Errors of release_table(), verify() and Ledger::spend().
Spent reserve_within_budget(const Budgeted& budget, const Plan& plan, const ReleaseRequest& request,
                            const Progress& progress);

}  // namespace fugu::inline in_ledger
