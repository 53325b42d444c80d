// What the releases of an account come to, and what that takes for granted about their values.
//
// Two releases are of the same values when they are of the very same rows in the same order, which a digest
// tells, or when the user says so. All others may be of any values, and count by what they tell whatever
// these are (compose/compose_changing.h).
#pragma once

#include <string>
#include <vector>

#include "fugu/compose/compose_changing.h"
#include "fugu/compose/influence.h"
#include "fugu/ledger/ledger.h"

namespace fugu::inline in_ledger {

// Whether a release counts in an account: its secret shares a column with the account's, or it releases a
// column that the account has released; `all` are those of the dataset.
bool concerns(const std::vector<std::string>& secret, const LedgerRelease& release,
              const std::vector<LedgerRelease>& all);

// Whether rows may have been left out of it. Such a row tells its value, or that it is missing.
bool drops_rows(const LedgerRelease& release);

// What adds up whatever the values are, for hints: over all pairs sensitivity does, too, but not where one
// secret alone has the least and the greatest value.
inline constexpr const char* kAdding = "dp-laplace or randomized-response, without --missing drop";

struct AccountSum {
  std::vector<Composition> bounds = {};       // all that hold
  size_t releases = 0;                        // that count, reservations not among them
  bool changing = false;                      // they are of several sets of values
  bool several_columns = false;               // of which some are of other columns
  std::vector<std::string> assumptions = {};  // about the values, in sentences
  std::vector<SameValues> values = {};        // what the bounds are of
};
// `releases` are all of the dataset, in order. Those of another secret count as mechanisms on the same value,
// under the laws of this secret. Error (guarantee) where releases that count do not compose.
AccountSum sum_of_account(const std::vector<std::string>& secret, const std::vector<LedgerRelease>& releases);

// The sum within the budget, whose least bound it returns. `latest` is whose release is about to be made.
// Error (budget).
Composition within_budget(const AccountSum& sum, const Account& account,
                          const std::vector<std::string>& latest);

// The account in influence, where it is one: absent where not all releases have one, or are of several sets
// of values.
std::optional<InfluenceAccount> influence_account(const AccountSum& sum, const Account& account);

// Bounds without a delta hold whichever releases were chosen after seeing others: they bound what each
// transcript tells. With a delta that does not follow, and is said to be assumed; else empty.
std::string chosen_beforehand(const Composition& together, size_t releases);

}  // namespace fugu::inline in_ledger
