// The wheel carries no libpq, which would bring half of a system's libraries along.
#include "fugu/core/error.h"
#include "fugu/database/database_table.h"
#include "fugu/database/database_url.h"
#include "fugu/database/sqlite_table.h"

namespace fugu::inline in_database {

std::unique_ptr<DatabaseTable> open_database(const DatabaseRequest& request) {
  if (!is_postgres(request.url)) return open_sqlite(request);
  throw usage("the Python package reads no PostgreSQL",
              "use the program fugu, or read the table with a driver and give it as a frame");
}

}  // namespace fugu::inline in_database
