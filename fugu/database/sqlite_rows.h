// Rows of SQLite as CSV and back, in batches: two threads of a release share one connection.
#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "fugu/database/database_table.h"
#include "fugu/database/sqlite.h"
#include "fugu/file/byte_sink.h"
#include "fugu/file/byte_source.h"

namespace fugu::inline in_database {

struct SqliteColumns {
  std::vector<std::string> names, types;
};

// A connection whose work can be stopped.
class SqliteSession {
 public:
  SqliteSession(const std::string& path, SqliteOptions options, std::function<void()> stop);

  Database& database() { return database_; }
  void run(const std::string& sql);
  // The columns that a SELECT gives; adds the tables that it reads. Error (usage) for anything else.
  SqliteColumns describe(const std::string& sql, std::set<std::string>& tables);

  // What to do with a code that is not of success: what stopped the work is thrown on.
  [[noreturn]] void fail(int code);
  // While it lives, no other thread uses the connection.
  std::unique_ptr<void, void (*)(void*)> lock();

 private:
  static int look(void* session);

  Database database_;
  std::function<void()> stop_;
  std::exception_ptr stopped_;
};

// What `sql` selects. Error (data), by `head`: a blob, a text with NUL.
std::unique_ptr<ByteSource> select_rows(SqliteSession& session, const std::string& sql, TableHead head,
                                        uint64_t total);
// Records into the table, whose name is quoted already.
std::unique_ptr<ByteSink> insert_rows(SqliteSession& session, const std::string& table,
                                      const std::vector<NewColumn>& columns);

}  // namespace fugu::inline in_database
