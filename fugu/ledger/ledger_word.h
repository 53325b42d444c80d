// The user's word that no value has changed, held against the counts.
#pragma once

#include <vector>

#include "fugu/ledger/ledger.h"

namespace fugu::inline in_ledger {

// Error (usage): the last release came with the word that no value has changed, and between its counts and
// those of an earlier one some grew while others fell.
void check_word(const std::vector<LedgerRelease>& releases);

}  // namespace fugu::inline in_ledger
