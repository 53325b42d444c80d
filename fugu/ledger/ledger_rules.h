// What may stand in a ledger beside what is there, and what is spent then. Nothing here reads or writes the
// file: what would become of a release can be asked before it is made.
#pragma once

#include <string>
#include <vector>

#include "fugu/ledger/ledger.h"

namespace fugu::inline in_ledger {

// The columns that a plan is about. Error (usage) when it does not say.
const Source& ledger_source(const Plan& plan);
// The account's key: the secret columns, sorted.
std::vector<std::string> secret_of(const Source& source);

// Error (usage) when the request names another budget than the account has.
void check_budget_is(const Account& account, const SpendRequest& request);
// Error (usage) without a budget.
Account new_account(const SpendRequest& request, std::vector<std::string> secret);

// What is spent with the last of these releases, the one that is asked for. `accounts` are all of the
// dataset, its own included, and `releases` all that were written down of it. Errors of Ledger::spend().
Spent judged(const SpendRequest& request, const std::vector<Account>& accounts,
             const std::vector<LedgerRelease>& releases);

}  // namespace fugu::inline in_ledger
