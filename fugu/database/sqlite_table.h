// A SQLite table or query, read and written within one transaction of one connection.
#pragma once

#include <memory>
#include <string>

#include "fugu/database/database_table.h"

namespace fugu::inline in_database {

// As open_database().
std::unique_ptr<DatabaseTable> open_sqlite(const DatabaseRequest& request);

// The shortest decimal that reads as this number, in PostgreSQL's way: with an exponent below 1e-4 and from
// 1e15 on; 0 for -0.
std::string shortest_decimal(double value);

}  // namespace fugu::inline in_database
