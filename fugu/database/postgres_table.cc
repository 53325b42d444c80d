#include "fugu/database/postgres_table.h"

#include <fmt/format.h>

#include <limits>

#include "fugu/csv/csv_field.h"
#include "fugu/database/database_url.h"
#include "fugu/database/libpq.h"
#include "fugu/database/postgres.h"
#include "fugu/database/sql_name.h"

namespace fugu::inline in_database {
namespace {

// Of pg_catalog.pg_type, where they never change.
enum Type : Oid {
  kBoolean = 16,
  kInt8 = 20,
  kInt2 = 21,
  kInt4 = 23,
  kText = 25,
  kFloat4 = 700,
  kFloat8 = 701,
  kChar = 1042,
  kVarchar = 1043,
  kDate = 1082,
  kTimestamp = 1114,
  kNumeric = 1700,
};

constexpr size_t kLongestName = 63;  // the server cuts longer ones

bool is_whole(Oid type) { return type == kInt2 || type == kInt4 || type == kInt8; }
bool is_float(Oid type) { return type == kFloat4 || type == kFloat8; }
bool is_number(Oid type) { return is_whole(type) || is_float(type) || type == kNumeric; }
bool is_date(Oid type) { return type == kDate || type == kTimestamp; }
bool is_text(Oid type) { return type == kText || type == kChar || type == kVarchar; }

struct Column {
  Oid type;
  std::string type_name;
};

// Rows of COPY … TO STDOUT.
class CopySource final : public ByteSource {
 public:
  CopySource(Postgres& reader, const std::string& sql, uint64_t total) : reader_(reader), rows_(total) {
    reader_.start_copy(sql);
  }

  size_t read(char* to, size_t size) override {
    size_t count = 0;
    while (count < size && !at_end_) {
      if (row_.empty()) {
        row_ = reader_.next_row();
        at_end_ = row_.empty();
        // NULL in a column alone would be a blank line, and those at the end of a table are no records.
        if (row_ == "\n") row_ = "\"\"\n";
        rows_.add();
      }
      const size_t taken = row_.copy(to + count, size - count);
      row_.remove_prefix(taken);
      count += taken;
    }
    return count;
  }

  double fraction() const override { return rows_.fraction(); }

 private:
  Postgres& reader_;
  RowsRead rows_;
  std::string_view row_;  // what is left of it
  bool at_end_ = false;
};

class CopySink final : public ByteSink {
 public:
  explicit CopySink(Postgres& writer) : writer_(writer) {}
  void write(std::string_view bytes) override {
    if (!bytes.empty()) writer_.put(bytes);
  }
  void finish() override { writer_.finish_copy(); }
  bool takes_header() const override { return false; }

 private:
  Postgres& writer_;
};

class PostgresNewTable final : public NewTable {
 public:
  // A table that replaces another has a name of its own until it is whole.
  PostgresNewTable(Postgres& writer, SqlName name, const std::string& definition, const std::string& columns,
                   bool replaces)
      : writer_(writer), name_(std::move(name)), made_(name_), replaces_(replaces), sink_(writer) {
    if (replaces) made_.name = fmt::format("fugu_new_{}", writer.process());
    writer_.run("BEGIN");
    try {
      writer_.run(fmt::format("CREATE TABLE {} ({})", made_.quoted(), definition));
    } catch (const Error&) {
      if (writer_.is_taken()) throw table_exists(made_.name);
      throw;
    }
    // Frozen rows are right here: whoever sees the table sees all of it.
    writer_.start_copy(fmt::format("COPY {} ({}) FROM STDIN (FORMAT csv, FREEZE)", made_.quoted(), columns));
  }

  ByteSink& rows() override { return sink_; }

  void put_in_place() override {
    if (!replaces_) return;
    writer_.run(fmt::format("DROP TABLE IF EXISTS {}", name_.quoted()));
    writer_.run(fmt::format("ALTER TABLE {} RENAME TO {}", made_.quoted(), quoted_name(name_.name)));
  }

  void commit() override {
    try {
      writer_.run("COMMIT");
    } catch (const Error& error) {
      if (!writer_.is_lost()) throw;
      throw Error(error.kind(), error.message() + " while the new table was being committed",
                  "check whether the table is there: if so, drop it, then run the command again");
    }
  }

 private:
  Postgres& writer_;
  SqlName name_, made_;
  bool replaces_;
  CopySink sink_;
};

class PostgresTable final : public DatabaseTable {
 public:
  explicit PostgresTable(const DatabaseRequest& request) {
    place_ = database_place(request.url);
    // Both connections at the start: a password that is refused is known before the work.
    reader_ = std::make_unique<Postgres>(request.url, place_, request.stop);
    if (request.writes) writer_ = std::make_unique<Postgres>(request.url, place_, request.stop);
    reader_->run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    if (request.query.empty()) {
      open_table(request.table);
    } else {
      open_query(request.query);
    }
    reader_->hide_words();
  }

  std::optional<std::string> unreadable(size_t column) const override {
    const Oid type = columns_[column].type;
    if (is_known(type)) return std::nullopt;
    return columns_[column].type_name;
  }

  bool repeats() const override { return repeats_; }

  std::unique_ptr<ByteSource> counts(const std::vector<size_t>& columns) override {
    std::vector<std::string> texts, groups;
    for (size_t column : columns) {
      check_readable(column);
      const std::string plain = alias(column);
      // What is told apart is the text that is read: 1.0 and 1.00, or whatever a collation takes for equal.
      const bool by_value = is_whole(columns_[column].type) || columns_[column].type == kBoolean;
      texts.push_back(text_of(column) + (by_value ? "" : " COLLATE \"C\""));
      groups.push_back(by_value ? plain : texts.back());
    }
    std::string sql = fmt::format("SELECT {}, pg_catalog.count(*)", named(texts));
    sql += fmt::format(" FROM {} GROUP BY {}", from_, fmt::join(groups, ", "));
    return std::make_unique<CopySource>(*reader_, copy_out(sql, columns), 0);
  }

  std::unique_ptr<ByteSource> rows(const std::vector<size_t>& columns, uint64_t total) override {
    std::vector<std::string> texts;
    for (size_t column : columns) {
      const Oid type = columns_[column].type;
      // These are written as their text is, and sooner.
      const bool plain =
          is_whole(type) || type == kNumeric || type == kText || type == kVarchar || !is_known(type);
      texts.push_back(plain ? alias(column) : text_of(column));
    }
    return std::make_unique<CopySource>(
        *reader_, copy_out(fmt::format("SELECT {} FROM {}", named(texts), from_), columns), total);
  }

  void done_reading() override { reader_->run("ROLLBACK"); }

  void check_new(const std::string& text, bool force) override {
    const SqlName name = name_of_new(text);
    if (name.schema.starts_with("pg_")) {
      throw usage(fmt::format("--into: '{}' is in a system schema, or would be gone with this session", text),
                  "give a table in one of your schemas");
    }
    const PostgresResult found = writer_->run(
        "SELECT c.oid, c.relkind FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = "
        "c.relnamespace WHERE n.nspname = $1 AND c.relname = $2",
        {name.schema, name.name});
    if (rows_of(found) == 0) return;
    if (is_read(text_at(found, 0, 0))) throw table_is_input(text);
    if (text_at(found, 0, 1) != "r") throw no_ordinary_table(text);
    if (!force) throw table_exists(text);
  }

  std::unique_ptr<NewTable> create(const std::string& text, const std::vector<NewColumn>& columns,
                                   bool force) override {
    check_new(text, force);
    std::vector<std::string> names, definitions;
    for (const NewColumn& column : columns) {
      names.push_back(quoted_name(column.name));
      definitions.push_back(names.back() + " " + type_of(column));
    }
    return std::make_unique<PostgresNewTable>(*writer_, name_of_new(text),
                                              fmt::format("{}", fmt::join(definitions, ", ")),
                                              fmt::format("{}", fmt::join(names, ", ")), force);
  }

 private:
  static std::string alias(size_t column) { return fmt::format("c{}", column + 1); }
  static bool is_known(Oid type) {
    return is_number(type) || is_text(type) || is_date(type) || type == kBoolean;
  }

  // The value as text; of floats 0 for -0, which is the same number.
  std::string text_of(size_t column) const {
    const Oid type = columns_[column].type;
    std::string value = alias(column);
    if (is_float(type)) {
      value = fmt::format("({} OPERATOR(pg_catalog.+) '0'::pg_catalog.{})", value,
                          type == kFloat4 ? "float4" : "float8");
    }
    return value + "::pg_catalog.text";
  }

  static std::string named(const std::vector<std::string>& texts) {
    std::vector<std::string> result;
    for (size_t k = 0; k < texts.size(); ++k) result.push_back(fmt::format("{} AS o{}", texts[k], k + 1));
    return fmt::format("{}", fmt::join(result, ", "));
  }

  // Texts in quotes, so that no blank around them is trimmed.
  std::string copy_out(const std::string& sql, const std::vector<size_t>& columns) const {
    std::vector<std::string> quoted;
    for (size_t k = 0; k < columns.size(); ++k) {
      const Oid type = columns_[columns[k]].type;
      if (!is_number(type) && type != kBoolean) quoted.push_back(fmt::format("o{}", k + 1));
    }
    const std::string quotes =
        quoted.empty() ? "" : fmt::format(", FORCE_QUOTE ({})", fmt::join(quoted, ", "));
    return fmt::format("COPY ({}) TO STDOUT (FORMAT csv{})", sql, quotes);
  }

  void open_table(const std::string& text) {
    const SqlName name = parse_sql_name(text, "--table", true);
    const PostgresResult found = reader_->run(
        "SELECT c.relkind IN ('r', 'm') AND NOT c.relhassubclass AND NOT c.relrowsecurity "
        "FROM pg_catalog.pg_class c WHERE c.oid = pg_catalog.to_regclass($1)",
        {name.quoted()});
    if (rows_of(found) == 0) {
      throw usage(fmt::format("--table: {} has no table '{}'", place_, text),
                  "put names with capital letters or unusual characters in double quotes, as in --table "
                  "'\"People\"'");
    }
    repeats_ = text_at(found, 0, 0) == "t";
    describe("SELECT * FROM " + name.quoted());
    head_.file = text;
    from_ = name.quoted() + aliases();
  }

  void open_query(const std::string& text) {
    const size_t end = text.find_last_not_of(" \t\r\n;");
    const std::string query = text.substr(0, end == std::string::npos ? 0 : end + 1);
    try {
      describe(query);  // by itself: one statement, and one that is whole
      if (columns_.empty()) throw usage("it gives no columns", "");
      from_ = fmt::format("(\n{}\n){}", query, aliases());
      reader_->describe("SELECT 1 FROM " + from_);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::kUsage) throw;
      throw usage(fmt::format("--query: {}", error.message()), "give one SELECT statement");
    }
    head_.file = "the query";
  }

  // Columns by their numbers: their own names may be odd, or several the same.
  std::string aliases() const {
    std::vector<std::string> names;
    for (size_t k = 0; k < columns_.size(); ++k) names.push_back(alias(k));
    return fmt::format(" AS q({})", fmt::join(names, ", "));
  }

  void describe(const std::string& sql) {
    const PostgresResult described = reader_->describe(sql);
    std::string types, modifiers;
    for (int k = 0; k < columns_of(described); ++k) {
      const std::string name = libpq().PQfname(described.get(), k);
      head_.header.push_back(name);
      head_.raw_header.push_back(csv_field(name, ','));
      columns_.push_back({libpq().PQftype(described.get(), k), ""});
      types += fmt::format("{}{}", k > 0 ? "," : "", columns_.back().type);
      modifiers += fmt::format("{}{}", k > 0 ? "," : "", libpq().PQfmod(described.get(), k));
    }
    head_.columns = columns_.size();
    head_.row_word = "";
    const PostgresResult names = reader_->run(
        "SELECT pg_catalog.format_type(t, m) FROM ROWS FROM (pg_catalog.unnest($1::pg_catalog.oid[]), "
        "pg_catalog.unnest($2::pg_catalog.int4[])) WITH ORDINALITY AS u(t, m, k) ORDER BY k",
        {"{" + types + "}", "{" + modifiers + "}"});
    for (size_t k = 0; k < columns_.size(); ++k)
      columns_[k].type_name = text_at(names, static_cast<int>(k), 0);
  }

  SqlName name_of_new(const std::string& text) {
    SqlName name = parse_sql_name(text, "--into", true);
    if (name.name.size() > kLongestName || name.schema.size() > kLongestName) {
      throw usage(fmt::format("--into: '{}' is longer than {} bytes", text, kLongestName),
                  "give a shorter name: the server would cut it");
    }
    if (name.schema.empty()) name.schema = text_at(writer_->run("SELECT pg_catalog.current_schema()"), 0, 0);
    if (name.schema.empty())
      throw usage("--into: the search path has no schema", "name one, as in --into public.name");
    return name;
  }

  // Whether the input reads that relation, be it through a view: planning locks whatever is read.
  bool is_read(const std::string& relation) {
    reader_->run("EXPLAIN SELECT 1 FROM " + from_);
    return rows_of(reader_->run("SELECT 1 FROM pg_catalog.pg_locks WHERE locktype = 'relation' AND pid = "
                                "pg_catalog.pg_backend_pid() AND relation = $1::pg_catalog.oid",
                                {relation})) > 0;
  }

  // The type of the source where every possible value fits, and one that takes them all elsewhere.
  std::string type_of(const NewColumn& column) const {
    const Column& source = columns_[column.source];
    switch (column.content) {
      case NewColumn::Content::kKept:
        return source.type_name;
      case NewColumn::Content::kText:
        return "text";
      case NewColumn::Content::kTrueFalse:
        return source.type == kBoolean ? "boolean" : "text";
      case NewColumn::Content::kNumber:
        return "numeric";
      case NewColumn::Content::kDate:
        return is_date(source.type) ? source.type_name : "text";
      case NewColumn::Content::kWhole:
        break;
    }
    auto within = [&](auto limit) {
      return column.range.first >= std::numeric_limits<decltype(limit)>::min() &&
             column.range.second <= std::numeric_limits<decltype(limit)>::max();
    };
    if (source.type == kInt2 && within(int16_t{})) return "smallint";
    if ((source.type == kInt2 || source.type == kInt4) && within(int32_t{})) return "integer";
    return source.type == kNumeric ? "numeric" : "bigint";
  }

  std::unique_ptr<Postgres> reader_, writer_;
  std::vector<Column> columns_;
  std::string from_;  // what follows FROM: the source, its columns named c1, c2, …
  bool repeats_ = false;
};

}  // namespace

std::unique_ptr<DatabaseTable> open_postgres(const DatabaseRequest& request) {
  return std::make_unique<PostgresTable>(request);
}

}  // namespace fugu::inline in_database
