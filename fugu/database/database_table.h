// A table in a database, or what a query gives: its columns, its counts, its rows, and a new table beside it.
//
// What is read from opening it to done_reading() is one moment of the database, whatever others write
// meanwhile. Values become texts by fixed rules (docs/databases.md), the same where rows are counted and
// where they are read; NULL and the empty text are missing fields. Identifiers are quoted, and nothing that
// the data holds is read as SQL.
//
//   const auto table = open_database({.url = "sqlite:people.db", .table = "people"});
//   ChunkReader reader(table->rows({0, 2}, 0), …);
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fugu/core/error.h"
#include "fugu/file/byte_sink.h"
#include "fugu/file/byte_source.h"
#include "fugu/table/table_head.h"

namespace fugu::inline in_database {

struct DatabaseRequest {
  std::string url;
  std::string table = {};  // as people write it (sql_name.h); else a query
  std::string query = {};  // one SELECT
  bool writes = false;     // a new table is to be made
  // Called now and then while the database works, from any thread; what it throws stops the work, in the
  // server too.
  std::function<void()> stop = {};
};

// What a column of a new table holds.
struct NewColumn {
  enum class Content {
    kKept,       // what the column of the source holds
    kText,       // labels
    kTrueFalse,  // of these only true and false
    kWhole,      // integers within `range`
    kNumber,     // decimals
    kDate,       // dates of ISO form
  };
  std::string name = {};
  size_t source = 0;  // the column that is read
  Content content = Content::kText;
  std::pair<int64_t, int64_t> range = {0, 0};
  bool quotes_tell = false;  // of a kept column: only texts are in quotes
};

// A table that nobody sees before it is committed, and that is gone when it is not.
class NewTable {
 public:
  NewTable() = default;
  virtual ~NewTable() = default;
  NewTable(const NewTable&) = delete;
  NewTable& operator=(const NewTable&) = delete;

  // Takes records of CSV with ',' and LF, without a header.
  virtual ByteSink& rows() = 0;
  // Gives it its name, in place of the table that had it. Call it after rows().finish() and done_reading().
  virtual void put_in_place() = 0;
  // Everything at once. Error (io); where the connection is lost in the very act, it says that nobody knows.
  virtual void commit() = 0;
};

class DatabaseTable {
 public:
  DatabaseTable() = default;
  virtual ~DatabaseTable() = default;
  DatabaseTable(const DatabaseTable&) = delete;
  DatabaseTable& operator=(const DatabaseTable&) = delete;

  const TableHead& head() const { return head_; }
  // Where the database is, for messages.
  const std::string& place() const { return place_; }

  // The type of a column whose values are no texts or numbers; absent where they can be read.
  virtual std::optional<std::string> unreadable(size_t column) const = 0;
  // Error (data), naming the column and its type.
  void check_readable(size_t column) const;

  // Whether it has the same rows each time it is read: not a query or a view, which may be random.
  virtual bool repeats() const = 0;

  // The distinct rows of these columns as records of CSV, each with its count as the last field; null where
  // the database would take longer to count its rows than to hand them over. Every column must be readable.
  virtual std::unique_ptr<ByteSource> counts(const std::vector<size_t>& columns) = 0;
  // All rows of these columns as records of CSV; texts are in quotes, other values are not, NULL is empty
  // (where there is one column only, the empty text). `total`, where known, is for fraction().
  virtual std::unique_ptr<ByteSource> rows(const std::vector<size_t>& columns, uint64_t total) = 0;
  virtual void done_reading() = 0;

  // Error (usage): no name for a new table; it is there and `force` is not set; it is no ordinary table, or
  // one that is read here. Precondition: opened with `writes`, like create().
  virtual void check_new(const std::string& name, bool force) = 0;
  virtual std::unique_ptr<NewTable> create(const std::string& name, const std::vector<NewColumn>& columns,
                                           bool force) = 0;

 protected:
  TableHead head_;
  std::string place_;
};

// Error (usage): no such table, a query that is no SELECT, or more than one statement. Error (io): no
// database, no connection, no right.
std::unique_ptr<DatabaseTable> open_database(const DatabaseRequest& request);

// What is wrong with an output table's name.
Error table_exists(const std::string& name);
Error table_is_input(const std::string& name);
Error no_ordinary_table(const std::string& name);

}  // namespace fugu::inline in_database
