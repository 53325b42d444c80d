#include "fugu/database/sqlite_table.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <filesystem>
#include <set>

#include "fugu/csv/csv_field.h"
#include "fugu/database/database_url.h"
#include "fugu/database/sql_name.h"
#include "fugu/database/sqlite.h"
#include "fugu/database/sqlite_rows.h"

namespace fugu::inline in_database {
namespace {

constexpr int kPatienceMilliseconds = 5'000;

bool is_plain_type(std::string_view type) {
  return !type.empty() && std::all_of(type.begin(), type.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || std::strchr(" _(),", c) != nullptr;
  });
}

// Of a table that replaces another, until it is whole.
std::string name_meanwhile(const std::string& name) { return "fugu_new_" + name; }

class SqliteNewTable final : public NewTable {
 public:
  // A table that replaces another has a name of its own until it is whole.
  SqliteNewTable(SqliteSession& session, SqlName name, const std::vector<NewColumn>& columns,
                 const std::vector<std::string>& types, bool replaces)
      : session_(session), name_(std::move(name)), made_(name_), replaces_(replaces) {
    if (replaces) made_.name = name_meanwhile(name_.name);
    std::vector<std::string> definitions;
    for (size_t k = 0; k < columns.size(); ++k)
      definitions.push_back(quoted_name(columns[k].name) + (types[k].empty() ? "" : " " + types[k]));
    session_.run(fmt::format("CREATE TABLE {} ({})", made_.quoted(), fmt::join(definitions, ", ")));
    sink_ = insert_rows(session_, made_.quoted(), columns);
  }

  ByteSink& rows() override { return *sink_; }

  void put_in_place() override {
    sink_.reset();  // its statement holds the table
    if (!replaces_) return;
    session_.run(fmt::format("DROP TABLE IF EXISTS {}", name_.quoted()));
    session_.run(fmt::format("ALTER TABLE {} RENAME TO {}", made_.quoted(), quoted_name(name_.name)));
  }

  void commit() override { session_.run("COMMIT"); }

 private:
  SqliteSession& session_;
  SqlName name_, made_;
  bool replaces_;
  std::unique_ptr<ByteSink> sink_;
};

class SqliteTable final : public DatabaseTable {
 public:
  explicit SqliteTable(const DatabaseRequest& request)
      : session_(existing(request.url),
                 {.what = "database", .read_only = !request.writes, .patience = kPatienceMilliseconds},
                 request.stop) {
    place_ = database_place(request.url);
    // A writer takes its right at once: what was counted cannot change before the new table is written.
    session_.run(request.writes ? "BEGIN IMMEDIATE" : "BEGIN");
    // Views of a table that is being replaced would stop the renaming.
    if (request.writes) session_.run("PRAGMA legacy_alter_table = ON");
    if (request.query.empty()) {
      open_table(request.table);
    } else {
      open_query(request.query);
    }
    session_.database().hide_words();
  }

  // A column holds what it likes, so that only reading it tells.
  std::optional<std::string> unreadable(size_t) const override { return std::nullopt; }
  bool repeats() const override { return repeats_; }

  // It would sort them.
  std::unique_ptr<ByteSource> counts(const std::vector<size_t>&) override { return nullptr; }

  std::unique_ptr<ByteSource> rows(const std::vector<size_t>& columns, uint64_t total) override {
    std::vector<std::string> names;
    for (size_t column : columns) names.push_back(alias(column));
    return select_rows(session_, fmt::format("{} SELECT {} FROM q", with_, fmt::join(names, ", ")),
                       head().part(columns), total);
  }

  void done_reading() override {}  // the transaction goes on to write

  void check_new(const std::string& text, bool force) override {
    const SqlName name = name_of_new(text);
    if (name.name.starts_with("sqlite_"))
      throw usage(fmt::format("--into: SQLite reserves names such as '{}'", text), "give another name");
    if (force) check_name_meanwhile(text, name_meanwhile(name.name));
    Query query(session_.database(),
                "SELECT type = 'table' AND rootpage > 0, name FROM main.sqlite_schema WHERE name = ? COLLATE "
                "NOCASE");
    if (!query.bind(name.name).step()) return;
    if (read_.contains(query.text(1))) throw table_is_input(text);
    if (query.number(0) == 0) throw no_ordinary_table(text);
    if (!force) throw table_exists(text);
  }

  std::unique_ptr<NewTable> create(const std::string& text, const std::vector<NewColumn>& columns,
                                   bool force) override {
    check_new(text, force);
    std::vector<std::string> types;
    for (const NewColumn& column : columns) types.push_back(type_of(column));
    return std::make_unique<SqliteNewTable>(session_, name_of_new(text), columns, types, force);
  }

 private:
  static std::string alias(size_t column) { return fmt::format("c{}", column + 1); }

  static std::string existing(const std::string& url) {
    std::string path = file_behind(url);
    std::error_code failed;
    if (!std::filesystem::is_regular_file(path, failed))
      throw Error(ErrorKind::kIo, url + ": there is no such file", "check the path");
    return path;
  }

  void check_name_meanwhile(const std::string& text, const std::string& meanwhile) {
    Query query(session_.database(), "SELECT 1 FROM main.sqlite_schema WHERE name = ? COLLATE NOCASE");
    if (!query.bind(meanwhile).step()) return;
    throw usage(fmt::format("--into: while it is written, '{}' is called '{}', and that name is taken", text,
                            meanwhile),
                fmt::format("rename or drop '{}', or give the output another name", meanwhile));
  }

  void open_table(const std::string& text) {
    const SqlName name = parse_sql_name(text, "--table", false);
    if (!name.schema.empty() && name.schema != "main")
      throw usage(fmt::format("--table: {} has no schema '{}'", place_, name.schema), "give the name alone");
    {
      Query query(session_.database(),
                  "SELECT type = 'table' AND rootpage > 0 FROM main.sqlite_schema WHERE type IN ('table', "
                  "'view') AND name = ? COLLATE NOCASE");
      if (!query.bind(name.name).step()) {
        throw usage(fmt::format("--table: {} has no table '{}'", place_, text),
                    "put names with unusual characters in double quotes, as in --table '\"My table\"'");
      }
      repeats_ = query.number(0) != 0;
    }
    open("SELECT * FROM main." + quoted_name(name.name));
    head_.file = text;
  }

  void open_query(const std::string& text) {
    const size_t end = text.find_last_not_of(" \t\r\n;");
    try {
      open(text.substr(0, end == std::string::npos ? 0 : end + 1));
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::kUsage) throw;
      throw usage(fmt::format("--query: {}", error.message()), "give one SELECT statement");
    }
    head_.file = "the query";
  }

  void open(const std::string& select) {
    // By itself: one statement, and one that is whole.
    const SqliteColumns columns = session_.describe(select, read_);
    for (const std::string& name : columns.names) {
      head_.header.push_back(name);
      head_.raw_header.push_back(csv_field(name, ','));
    }
    types_ = columns.types;
    head_.columns = types_.size();
    head_.row_word = "";
    std::vector<std::string> names;
    for (size_t k = 0; k < types_.size(); ++k) names.push_back(alias(k));
    with_ = fmt::format("WITH q({}) AS (\n{}\n)", fmt::join(names, ", "), select);
    std::set<std::string> also_read;
    session_.describe(with_ + " SELECT 1 FROM q", also_read);
  }

  SqlName name_of_new(const std::string& text) const {
    SqlName name = parse_sql_name(text, "--into", false);
    if (!name.schema.empty() && name.schema != "main")
      throw usage(fmt::format("--into: {} has no schema '{}'", place_, name.schema), "give the name alone");
    return {"main", name.name};
  }

  // What the source declares, where it is no more than words; texts of numbers become numbers by themselves,
  // where none of their digits is lost.
  std::string type_of(const NewColumn& column) const {
    switch (column.content) {
      case NewColumn::Content::kKept:
        return is_plain_type(types_[column.source]) ? types_[column.source] : "";
      case NewColumn::Content::kDate:
        return is_plain_type(types_[column.source]) ? types_[column.source] : "TEXT";
      case NewColumn::Content::kWhole:
        return "INTEGER";
      case NewColumn::Content::kNumber:
        return "NUMERIC";
      default:
        return "TEXT";
    }
  }

  SqliteSession session_;
  std::vector<std::string> types_;  // as declared; empty where nothing is
  std::string with_;                // the source as q, its columns named c1, c2, …
  std::set<std::string> read_;      // the tables behind it
  bool repeats_ = false;
};

}  // namespace

std::unique_ptr<DatabaseTable> open_sqlite(const DatabaseRequest& request) {
  return std::make_unique<SqliteTable>(request);
}

}  // namespace fugu::inline in_database
