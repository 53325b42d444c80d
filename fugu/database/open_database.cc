// By itself, so that a program without PostgreSQL can bring its own (python/src/open_database.cc).
#include "fugu/database/database_table.h"
#include "fugu/database/database_url.h"
#include "fugu/database/postgres_table.h"
#include "fugu/database/sqlite_table.h"

namespace fugu::inline in_database {

std::unique_ptr<DatabaseTable> open_database(const DatabaseRequest& request) {
  if (is_postgres(request.url)) return open_postgres(request);
  return open_sqlite(request);
}

}  // namespace fugu::inline in_database
