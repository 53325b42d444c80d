#include "fugu/database/sqlite_rows.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>

#include "fugu/core/error.h"
#include "fugu/csv/csv_field.h"
#include "fugu/csv/record_parser.h"
#include "fugu/database/sqlite_table.h"

namespace fugu::inline in_database {
namespace {

constexpr int kStepsBetweenLooks = 100'000;   // of SQLite's machine
constexpr size_t kBatch = size_t{256} << 10;  // bytes that are read at once

class SelectSource final : public ByteSource {
 public:
  SelectSource(SqliteSession& session, const std::string& sql, TableHead head, uint64_t total)
      : session_(session),
        head_(std::move(head)),
        rows_(total),
        query_(session.database(), sql),
        columns_(sqlite3_column_count(query_.handle())) {}

  size_t read(char* to, size_t size) override {
    if (begin_ == batch_.size()) fill();
    const size_t count = std::min(size, batch_.size() - begin_);
    std::memcpy(to, batch_.data() + begin_, count);
    begin_ += count;
    return count;
  }

  double fraction() const override { return rows_.fraction(); }

 private:
  void fill() {
    batch_.clear();
    begin_ = 0;
    if (at_end_) return;
    const auto lock = session_.lock();
    while (batch_.size() < kBatch) {
      const int code = sqlite3_step(query_.handle());
      if (code == SQLITE_DONE) {
        at_end_ = true;
        return;
      }
      if (code != SQLITE_ROW) session_.fail(code);
      for (int k = 0; k < columns_; ++k) {
        if (k > 0) batch_ += ',';
        add_value(k);
      }
      batch_ += '\n';
      rows_.add();
    }
  }

  void add_value(int column) {
    sqlite3_stmt* const row = query_.handle();
    switch (sqlite3_column_type(row, column)) {
      case SQLITE_INTEGER: {
        char text[24];
        batch_.append(text, std::to_chars(text, text + sizeof text, sqlite3_column_int64(row, column)).ptr);
        return;
      }
      case SQLITE_FLOAT:
        batch_ += shortest_decimal(sqlite3_column_double(row, column));
        return;
      case SQLITE_TEXT: {
        const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(row, column));
        const std::string_view text(bytes, static_cast<size_t>(sqlite3_column_bytes(row, column)));
        if (text.find('\0') != std::string_view::npos) throw bad(column, "a text holds a NUL byte");
        append_quoted(batch_, text);
        return;
      }
      case SQLITE_NULL:
        // A line of its own for NULL would be a blank line, and those at the end of a table are no records.
        if (columns_ == 1) batch_ += "\"\"";
        return;
      default:
        throw bad(column, "values of type blob cannot be read");
    }
  }

  Error bad(int column, const char* what) const {
    return Error(ErrorKind::kData,
                 fmt::format("{}, {}: {}", head_.file, head_.column_place(static_cast<size_t>(column)), what),
                 "cast the column in --query to text or a number");
  }

  SqliteSession& session_;
  TableHead head_;
  RowsRead rows_;
  Query query_;
  int columns_;
  std::string batch_;
  size_t begin_ = 0;  // of the batch, what was not yet handed out
  bool at_end_ = false;
};

class InsertSink final : public ByteSink {
 public:
  InsertSink(SqliteSession& session, const std::string& table, const std::vector<NewColumn>& columns)
      : session_(session),
        columns_(columns),
        query_(session.database(), fmt::format("INSERT INTO {} VALUES (?{})", table, more(columns.size()))),
        parser_({.separator = ',', .columns = columns.size(), .wanted = all(columns.size())}) {}

  void write(std::string_view bytes) override { insert(bytes, false); }
  void finish() override { insert({}, true); }
  bool takes_header() const override { return false; }

 private:
  static std::string more(size_t columns) {
    std::string text;
    for (size_t k = 1; k < columns; ++k) text += ", ?";
    return text;
  }
  static std::vector<size_t> all(size_t columns) {
    std::vector<size_t> wanted;
    for (size_t k = 0; k < columns; ++k) wanted.push_back(k);
    return wanted;
  }

  void insert(std::string_view bytes, bool last) {
    if (!rest_.empty()) bytes = rest_.append(bytes);
    const auto lock = session_.lock();
    parser_.start(bytes, 1, last);
    while (parser_.next(record_)) {
      for (size_t k = 0; k < columns_.size(); ++k)
        bind(static_cast<int>(k) + 1, record_.fields[k], columns_[k]);
      const int code = sqlite3_step(query_.handle());
      if (code != SQLITE_DONE) session_.fail(code);
      sqlite3_reset(query_.handle());
    }
    rest_ = std::string(bytes.substr(parser_.consumed()));
  }

  void bind(int place, const Field& field, const NewColumn& column) {
    sqlite3_stmt* const row = query_.handle();
    int code = SQLITE_OK;
    int64_t whole = 0;
    double number = 0;
    const std::string_view text = field.text;
    const char* const end = text.data() + text.size();
    auto reads = [&](auto& value) {
      const auto [stop, failed] = std::from_chars(text.data(), end, value);
      return failed == std::errc() && stop == end;
    };
    const bool bare = column.content == NewColumn::Content::kKept && column.quotes_tell;
    if (text.empty() && !field.raw.starts_with('"')) {
      code = sqlite3_bind_null(row, place);
    } else if ((column.content == NewColumn::Content::kWhole || (bare && !field.raw.starts_with('"'))) &&
               reads(whole)) {
      code = sqlite3_bind_int64(row, place, whole);
    } else if (bare && !field.raw.starts_with('"') && reads(number)) {
      code = sqlite3_bind_double(row, place, number);
    } else {
      code = sqlite3_bind_text64(row, place, text.data(), text.size(), SQLITE_STATIC, SQLITE_UTF8);
    }
    if (code != SQLITE_OK) session_.fail(code);
  }

  SqliteSession& session_;
  std::vector<NewColumn> columns_;
  Query query_;
  RecordParser parser_;
  Record record_;
  std::string rest_;  // the beginning of a record
};

}  // namespace

std::string shortest_decimal(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
  if (value == 0) return "0";
  char text[400];
  const char* end = std::to_chars(text, text + sizeof text, value, std::chars_format::scientific).ptr;
  const std::string_view written(text, static_cast<size_t>(end - text));
  const std::string exponent(written.substr(written.find('e') + 1));
  const int power = std::stoi(exponent);
  if (power < -4 || power >= 15) return std::string(written);
  end = std::to_chars(text, text + sizeof text, value, std::chars_format::fixed).ptr;
  return {text, static_cast<size_t>(end - text)};
}

SqliteSession::SqliteSession(const std::string& path, SqliteOptions options, std::function<void()> stop)
    : database_(path, std::move(options)), stop_(std::move(stop)) {
  if (stop_) sqlite3_progress_handler(database_.handle(), kStepsBetweenLooks, &SqliteSession::look, this);
}

int SqliteSession::look(void* session) {
  auto* self = static_cast<SqliteSession*>(session);
  try {
    self->stop_();
    return 0;
  } catch (...) {
    self->stopped_ = std::current_exception();
    return 1;
  }
}

void SqliteSession::fail(int code) {
  if (stopped_) std::rethrow_exception(std::exchange(stopped_, nullptr));
  database_.fail(code);
}

void SqliteSession::run(const std::string& sql) {
  const int code = sqlite3_exec(database_.handle(), sql.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) fail(code);
}

std::unique_ptr<void, void (*)(void*)> SqliteSession::lock() {
  sqlite3_mutex* mutex = sqlite3_db_mutex(database_.handle());
  sqlite3_mutex_enter(mutex);
  return {mutex, [](void* held) { sqlite3_mutex_leave(static_cast<sqlite3_mutex*>(held)); }};
}

SqliteColumns SqliteSession::describe(const std::string& sql, std::set<std::string>& tables) {
  sqlite3* const handle = database_.handle();
  auto note = [](void* found, int action, const char* table, const char*, const char*, const char*) {
    if (action == SQLITE_READ && table) static_cast<std::set<std::string>*>(found)->insert(table);
    return SQLITE_OK;
  };
  sqlite3_set_authorizer(handle, note, &tables);
  sqlite3_stmt* statement = nullptr;
  const char* tail = nullptr;
  const int code = sqlite3_prepare_v2(handle, sql.c_str(), -1, &statement, &tail);
  const std::string why = sqlite3_errmsg(handle);
  const std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)> owned(statement, &sqlite3_finalize);
  sqlite3_stmt* second = nullptr;
  const bool several =
      code == SQLITE_OK &&
      (sqlite3_prepare_v2(handle, tail, -1, &second, nullptr) != SQLITE_OK || second != nullptr);
  sqlite3_finalize(second);
  sqlite3_set_authorizer(handle, nullptr, nullptr);
  if (code == SQLITE_ERROR) throw usage(why, "check --table and --query");
  if (code != SQLITE_OK) fail(code);
  if (several) throw usage("there are several statements", "give one SELECT statement");
  if (!statement || sqlite3_column_count(statement) == 0 || sqlite3_stmt_readonly(statement) == 0)
    throw usage("this is not a SELECT", "give one SELECT statement");
  SqliteColumns columns;
  for (int k = 0; k < sqlite3_column_count(statement); ++k) {
    const char* type = sqlite3_column_decltype(statement, k);
    columns.names.emplace_back(sqlite3_column_name(statement, k));
    columns.types.emplace_back(type ? type : "");
  }
  return columns;
}

std::unique_ptr<ByteSource> select_rows(SqliteSession& session, const std::string& sql, TableHead head,
                                        uint64_t total) {
  return std::make_unique<SelectSource>(session, sql, std::move(head), total);
}

std::unique_ptr<ByteSink> insert_rows(SqliteSession& session, const std::string& table,
                                      const std::vector<NewColumn>& columns) {
  return std::make_unique<InsertSink>(session, table, columns);
}

}  // namespace fugu::inline in_database
