// PostgreSQL by libpq, with fugu's errors: a connection whose every wait can be stopped.
//
// Messages of the server are shown where they speak of names, rights and the server itself, never where they
// may hold a value of the data; a password is shown nowhere.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fugu/core/error.h"

struct pg_conn;
struct pg_result;

namespace fugu::inline in_database {

struct ClearResult {
  void operator()(pg_result* result) const;
};
using PostgresResult = std::unique_ptr<pg_result, ClearResult>;

class Postgres {
 public:
  // Connects; what the URL does not say comes from the environment and the password file. `stop` is as
  // DatabaseRequest has it. Error (io); Error (usage) for a URL that cannot be read.
  Postgres(const std::string& url, std::string place, std::function<void()> stop);
  ~Postgres();
  Postgres(const Postgres&) = delete;
  Postgres& operator=(const Postgres&) = delete;

  // One statement, and what it gives. Error (io, usage).
  PostgresResult run(const std::string& sql, const std::vector<std::string>& parameters = {});
  // The columns that a statement would give.
  PostgresResult describe(const std::string& sql);

  // COPY … TO STDOUT: the next row with its line end, empty at the end. The view holds until the next call.
  void start_copy(const std::string& sql);
  std::string_view next_row();
  // COPY … FROM STDIN. finish_copy() says whether the server took everything.
  void put(std::string_view bytes);
  void finish_copy();

  int process() const;  // of the server
  bool is_lost() const;
  // From here on statements compute with the table's values: whatever the server says may hold one, so only
  // its code is told.
  void hide_words() { hides_words_ = true; }
  // Whether the last error was that the name of a new table is taken.
  bool is_taken() const { return taken_; }

 private:
  struct Close {
    void operator()(pg_conn* connection) const;
  };
  struct FreeRow {
    void operator()(char* row) const;
  };
  PostgresResult next();
  PostgresResult finish(PostgresResult result);
  void wait(short events);
  void cancel() noexcept;
  void set_up();
  Error error_of(const pg_result* result);
  Error lost() const;

  std::string place_;
  std::function<void()> stop_;
  std::unique_ptr<pg_conn, Close> connection_;
  std::unique_ptr<char, FreeRow> row_;
  bool taken_ = false;
  bool hides_words_ = false;
};

// A field of a result as text; empty for NULL.
std::string text_at(const PostgresResult& result, int row, int column);
int rows_of(const PostgresResult& result);
int columns_of(const PostgresResult& result);

}  // namespace fugu::inline in_database
