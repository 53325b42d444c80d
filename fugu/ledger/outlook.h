// What is left of an account: how many more releases like one fit, before anything is spent.
#pragma once

#include <optional>
#include <vector>

#include "fugu/ledger/ledger.h"

namespace fugu::inline in_ledger {

// How many more releases like this one fit after those that are there: as many as judged() lets through one
// after the other, or as the influence that is left is proved to allow. It looks no further than a thousand,
// of noise other than Laplace's than a hundred, and less far of many values. `releases` are all of the
// dataset.
More more_like(const LedgerRelease& like, const std::vector<Account>& accounts,
               std::vector<LedgerRelease> releases);

// Absent where the account is none in influence.
std::optional<InfluenceLeft> influence_left(const Account& account,
                                            const std::vector<LedgerRelease>& releases);

// What Ledger::ask() says. `asked` is not among the releases. Errors (usage) of judged().
Outlook outlook_of(LedgerRelease asked, const SpendRequest& request, const std::vector<Account>& accounts,
                   std::vector<LedgerRelease> releases);

// All that is shown of an account but the account itself, and how many more fit, which may take longer.
void fill_view(AccountView& view, const std::vector<LedgerRelease>& releases);
void look_ahead(AccountView& view, const std::vector<Account>& accounts,
                const std::vector<LedgerRelease>& releases);

}  // namespace fugu::inline in_ledger
