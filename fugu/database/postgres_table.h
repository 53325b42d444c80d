// A PostgreSQL table or query, read within one repeatable-read transaction; a second connection writes.
#pragma once

#include <memory>

#include "fugu/database/database_table.h"

namespace fugu::inline in_database {

// As open_database().
std::unique_ptr<DatabaseTable> open_postgres(const DatabaseRequest& request);

}  // namespace fugu::inline in_database
