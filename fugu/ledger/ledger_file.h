// The ledger's file: the owner's alone, from before anything is in it.
#pragma once

#include <string>

namespace fugu::inline in_ledger {

// Whether it is there. Error (usage): it is no regular file, a symbolic link to nothing, another user's, or
// group or others may read or write it; the same for what SQLite keeps beside it. Error (io).
bool ledger_exists(const std::string& path);

// Makes an empty file, mode 0600, unless it is there: no link is followed and nothing is replaced. Errors of
// ledger_exists(). Returns the path.
const std::string& created_ledger(const std::string& path);

// Error (io) when there is none, and those of ledger_exists(). Returns the path.
const std::string& existing_ledger(const std::string& path);

}  // namespace fugu::inline in_ledger
