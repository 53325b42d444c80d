// A ledger's accounts and what a release spent, as JSON.
#pragma once

#include "fugu/core/json.h"
#include "fugu/ledger/ledger.h"

namespace fugu::inline in_ledger {

// {"release", "dataset", "budget", "spent", "left", "releases", "other_data", "assumptions"}.
Json spent_to_json(const Spent& spent);
// {"accounts": [{"dataset", "secret", "budget", "spent", "counted", "assumptions", "releases"}, …]}.
Json accounts_to_json(const std::vector<AccountView>& accounts);

}  // namespace fugu::inline in_ledger
