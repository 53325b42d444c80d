// SQLite with fugu's errors: a file, its statements, a transaction that is undone unless it is committed.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "fugu/core/progress.h"

struct sqlite3;
struct sqlite3_stmt;

namespace fugu::inline in_database {

struct SqliteOptions {
  std::string what = "ledger";  // what messages call the file
  bool read_only = false;
  int patience = 600'000;  // milliseconds: long enough for fifty processes that each compose many plans
};

class Database {
 public:
  // Opens an existing file. Every commit is on the disk before it returns, and whoever finds the file locked
  // waits. Error (io), and Error (data) when the file is no database.
  explicit Database(const std::string& path, SqliteOptions options = {});

  void run(const std::string& sql);
  // The first column of the first row.
  int64_t number(const std::string& sql);
  int64_t last_id() const;
  [[noreturn]] void fail(int code) const;
  // From here on statements compute with a table's values: what SQLite says may hold one, and is not told.
  void hide_words() { hides_words_ = true; }
  sqlite3* handle() const { return handle_.get(); }
  int patience() const { return options_.patience; }
  const std::string& what() const { return options_.what; }

 private:
  struct Close {
    void operator()(sqlite3* handle) const;
  };
  std::string path_;
  SqliteOptions options_;
  bool hides_words_ = false;
  std::unique_ptr<sqlite3, Close> handle_;
};

// One statement with its parameters, in order.
//
//   Query query(database, "SELECT id FROM releases WHERE dataset = ?");
//   query.bind("adult");
//   while (query.step()) use(query.number(0));
class Query {
 public:
  Query(Database& database, const std::string& sql);
  Query& bind(const std::string& text);
  Query& bind(int64_t number);
  // Whether there is another row.
  bool step();
  int64_t number(int column) const;
  std::string text(int column) const;
  sqlite3_stmt* handle() const { return statement_.get(); }

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };
  Database& database_;
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
  int bound_ = 0;
};

// Takes the one right to write at once: whoever reads within it sees what no one else can change.
class WriteTransaction {
 public:
  // Waits while others write; the progress is told so, and may end it by an exception.
  explicit WriteTransaction(Database& database, const Progress& progress = {});
  ~WriteTransaction();
  WriteTransaction(const WriteTransaction&) = delete;
  WriteTransaction& operator=(const WriteTransaction&) = delete;
  void commit();

 private:
  Database& database_;
  bool open_ = true;
};

}  // namespace fugu::inline in_database
