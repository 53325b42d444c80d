// A ledger's accounts and what a release spent, as JSON.
#pragma once

#include "fugu/core/json.h"
#include "fugu/ledger/ledger.h"

namespace fugu::inline in_ledger {

// {"release", "dataset", "budget", "spent", "left", "more", "influence", "adaptive", "releases",
// "other_data", "assumptions"}.
Json spent_to_json(const Spent& spent);
// {"accounts": [{"dataset", "secret", "budget", "spent", "more", "influence", "adaptive", "counted",
// "assumptions", "reservations", "releases"}, …]}.
Json accounts_to_json(const std::vector<AccountView>& accounts);
// {"dataset", "secret", "budget", "spent", "together", "more", "influence", "refused", "assumptions"}.
Json outlook_to_json(const Outlook& outlook);

}  // namespace fugu::inline in_ledger
