// What is asked of a ledger, from the texts of its flags.
#pragma once

#include <string>

#include "fugu/ask/release_texts.h"
#include "fugu/ledger/ledger.h"

namespace fugu::inline in_run {

// Error (usage) for flags that make no request, as far as can be known before the work, and where columns go
// along that nothing is promised about.
void check_ledger(const LedgerTexts& ledger, bool carries_unprotected);
// Error (usage) for a file that is not the owner's alone (ledger_file.h).
void check_ledger_file(const LedgerTexts& ledger);
// `output` is where the release will appear, `time` when ("2026-11-15T09:00:00Z").
SpendRequest spend_request(const LedgerTexts& ledger, const std::string& output, const std::string& time);

}  // namespace fugu::inline in_run
