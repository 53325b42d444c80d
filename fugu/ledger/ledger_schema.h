// The ledger's tables: made, checked, and brought up to date.
#pragma once

#include <string>

#include "fugu/core/error.h"
#include "fugu/database/sqlite.h"

namespace fugu::inline in_ledger {

// The Error (data) of a file that is another thing.
Error no_ledger(const std::string& path);

// Within a transaction: makes the tables in an empty file, and adds to an older ledger's what it lacks; what
// it does not know of its releases counts as the worse. Error (data) when the file is another thing, or of a
// later version.
void make_ledger_tables(Database& database, const std::string& path);

// The same for a file that must be a ledger.
void update_ledger_tables(Database& database, const std::string& path);

// A digest of rows as this ledger keeps it: with the ledger's own random salt, so that it says nothing beside
// another one. Empty stays empty.
std::string salted(Database& database, const std::string& digest);

}  // namespace fugu::inline in_ledger
