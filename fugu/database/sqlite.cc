#include "fugu/database/sqlite.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <filesystem>

#include "fugu/core/error.h"

namespace fugu::inline in_database {
namespace {

constexpr int kSliceMilliseconds = 250;

}  // namespace

void Database::Close::operator()(sqlite3* handle) const { sqlite3_close(handle); }
void Query::Finalize::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

Database::Database(const std::string& path, SqliteOptions options)
    : path_(path), options_(std::move(options)) {
  // As an absolute path, so that no name means anything else to SQLite (":memory:").
  const std::string absolute = std::filesystem::absolute(path).string();
  sqlite3* handle = nullptr;
  const int code = sqlite3_open_v2(
      absolute.c_str(), &handle, options_.read_only ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE, nullptr);
  handle_.reset(handle);
  if (code != SQLITE_OK) fail(code);
  sqlite3_busy_timeout(handle, options_.patience);
  if (options_.read_only) return;
  // EXTRA also syncs the folder when the journal goes: a commit that returned survives a loss of power.
  run("PRAGMA synchronous = EXTRA; PRAGMA foreign_keys = ON");
}

void Database::fail(int code) const {
  const std::string what = handle_ && !hides_words_ ? sqlite3_errmsg(handle_.get()) : sqlite3_errstr(code);
  if (hides_words_ && (code & 0xff) == SQLITE_ERROR) {
    throw Error(ErrorKind::kIo, fmt::format("{}: SQLite stopped at a value", path_),
                "check the computations of --query or of the view; nothing was written");
  }
  switch (code & 0xff) {
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
      throw Error(ErrorKind::kData,
                  fmt::format("{}: this is not a {}, or it is damaged ({})", path_, options_.what, what),
                  fmt::format("name the {}'s file; restore it from a copy if it is damaged", options_.what));
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      throw Error(ErrorKind::kIo, fmt::format("{}: another process holds the {}", path_, options_.what),
                  "wait until it is done, and try again");
    default:
      throw Error(ErrorKind::kIo, fmt::format("{}: {}", path_, what),
                  "check the file, its folder, their permissions and the space left");
  }
}

void Database::run(const std::string& sql) {
  if (const int code = sqlite3_exec(handle_.get(), sql.c_str(), nullptr, nullptr, nullptr); code != SQLITE_OK)
    fail(code);
}

int64_t Database::number(const std::string& sql) {
  Query query(*this, sql);
  return query.step() ? query.number(0) : 0;
}

int64_t Database::last_id() const { return sqlite3_last_insert_rowid(handle_.get()); }

Query::Query(Database& database, const std::string& sql) : database_(database) {
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v2(database.handle(), sql.c_str(), -1, &statement, nullptr);
  statement_.reset(statement);
  if (code != SQLITE_OK) database.fail(code);
}

Query& Query::bind(const std::string& text) {
  const int code = sqlite3_bind_text64(statement_.get(), ++bound_, text.data(), text.size(), SQLITE_TRANSIENT,
                                       SQLITE_UTF8);
  if (code != SQLITE_OK) database_.fail(code);
  return *this;
}

Query& Query::bind(int64_t number) {
  const int code = sqlite3_bind_int64(statement_.get(), ++bound_, number);
  if (code != SQLITE_OK) database_.fail(code);
  return *this;
}

bool Query::step() {
  const int code = sqlite3_step(statement_.get());
  if (code != SQLITE_ROW && code != SQLITE_DONE) database_.fail(code);
  return code == SQLITE_ROW;
}

int64_t Query::number(int column) const { return sqlite3_column_int64(statement_.get(), column); }

std::string Query::text(int column) const {
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement_.get(), column));
  return text ? std::string(text, static_cast<size_t>(sqlite3_column_bytes(statement_.get(), column))) : "";
}

WriteTransaction::WriteTransaction(Database& database, const Progress& progress) : database_(database) {
  sqlite3* const handle = database.handle();
  sqlite3_busy_timeout(handle, kSliceMilliseconds);
  int code = SQLITE_BUSY;
  for (int waited = 0; waited < database.patience(); waited += kSliceMilliseconds) {
    code = sqlite3_exec(handle, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr);
    if ((code & 0xff) != SQLITE_BUSY) break;
    report(progress, 0, "waiting for the " + database.what());
  }
  sqlite3_busy_timeout(handle, database.patience());
  if (code != SQLITE_OK) database.fail(code);
}

WriteTransaction::~WriteTransaction() {
  if (open_) sqlite3_exec(database_.handle(), "ROLLBACK", nullptr, nullptr, nullptr);
}

void WriteTransaction::commit() {
  database_.run("COMMIT");
  open_ = false;
}

}  // namespace fugu::inline in_database
