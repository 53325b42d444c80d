// By itself, so that a program without PostgreSQL can bring its own (python/src/open_database.cc).
#include "fugu/table/database_table.h"
#include "fugu/table/database_url.h"
#include "fugu/table/postgres_table.h"
#include "fugu/table/sqlite_table.h"

namespace fugu {

std::unique_ptr<DatabaseTable> open_database(const DatabaseRequest& request) {
  if (is_postgres(request.url)) return open_postgres(request);
  return open_sqlite(request);
}

}  // namespace fugu
