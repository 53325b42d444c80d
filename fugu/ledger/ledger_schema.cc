#include "fugu/ledger/ledger_schema.h"

#include <fmt/format.h>

#include <array>

#include "fugu/core/digest.h"
#include "fugu/sample/random.h"

namespace fugu::inline in_ledger {
namespace {

constexpr int kApplication = 0x66756775;  // "fugu", in the file's header
constexpr int kVersion = 3;

void check_version(Database& database, const std::string& path) {
  if (database.number("PRAGMA application_id") != kApplication) throw no_ledger(path);
  const int64_t version = database.number("PRAGMA user_version");
  if (version < 1 || version > kVersion) {
    throw Error(ErrorKind::kData, path + ": this ledger was made by another version of fugu",
                "use the version that made it");
  }
}

// What version 2 has more. Of older releases nothing is known: no rows to compare, and some may be left out.
void add_rows(Database& database) {
  database.run(
      "ALTER TABLE releases ADD COLUMN rows TEXT NOT NULL DEFAULT '';"
      "ALTER TABLE releases ADD COLUMN counted INTEGER NOT NULL DEFAULT 0;"
      "ALTER TABLE releases ADD COLUMN drops INTEGER NOT NULL DEFAULT 1;"
      "ALTER TABLE releases ADD COLUMN unchanged INTEGER NOT NULL DEFAULT 0;"
      "CREATE TABLE salt (value TEXT NOT NULL)");
  SecureRandom random;
  std::array<uint64_t, 4> words{};
  random.fill(words);
  Query(database, "INSERT INTO salt (value) VALUES (?)")
      .bind(fmt::format("{:016x}{:016x}{:016x}{:016x}", words[0], words[1], words[2], words[3]))
      .step();
}

// What version 3 has more: older ledgers have no reservations.
void add_reservations(Database& database) {
  database.run("ALTER TABLE releases ADD COLUMN reserved INTEGER NOT NULL DEFAULT 0");
}

void bring_up_to_date(Database& database, int64_t version) {
  if (version < 2) add_rows(database);
  if (version < 3) add_reservations(database);
  database.run(fmt::format("PRAGMA user_version = {}", kVersion));
}

}  // namespace

Error no_ledger(const std::string& path) {
  return Error(ErrorKind::kData, path + ": this is not a fugu ledger", "name the file that --ledger made");
}

void make_ledger_tables(Database& database, const std::string& path) {
  if (database.number("SELECT count(*) FROM sqlite_master") > 0) {
    check_version(database, path);
    const int64_t version = database.number("PRAGMA user_version");
    if (version < kVersion) bring_up_to_date(database, version);
    return;
  }
  database.run(fmt::format("PRAGMA application_id = {}", kApplication));
  database.run(
      "CREATE TABLE accounts ("
      " dataset TEXT NOT NULL, secret TEXT NOT NULL, epsilon TEXT NOT NULL, delta TEXT NOT NULL,"
      " PRIMARY KEY (dataset, secret));"
      "CREATE TABLE releases ("
      " id INTEGER PRIMARY KEY AUTOINCREMENT, time TEXT NOT NULL,"
      " dataset TEXT NOT NULL, secret TEXT NOT NULL, public TEXT NOT NULL,"
      " digest TEXT NOT NULL, output TEXT NOT NULL, kept TEXT NOT NULL, process TEXT NOT NULL, plan TEXT NOT "
      "NULL,"
      " state TEXT NOT NULL CHECK (state IN ('spent', 'done', 'void')), reason TEXT NOT NULL DEFAULT '',"
      " FOREIGN KEY (dataset, secret) REFERENCES accounts (dataset, secret))");
  bring_up_to_date(database, 1);
}

void update_ledger_tables(Database& database, const std::string& path) {
  check_version(database, path);
  if (database.number("PRAGMA user_version") == kVersion) return;
  WriteTransaction transaction(database);
  make_ledger_tables(database, path);  // another process may have done it meanwhile
  transaction.commit();
}

std::string salted(Database& database, const std::string& digest) {
  if (digest.empty()) return "";
  Query salt(database, "SELECT value FROM salt");
  if (!salt.step()) throw Error(ErrorKind::kData, "the ledger has lost its salt", "use a copy that has it");
  return sha256(salt.text(0) + "\n" + digest);
}

}  // namespace fugu::inline in_ledger
