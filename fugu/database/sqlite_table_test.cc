#include "fugu/database/sqlite_table.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <cstdlib>

#include "fugu/core/error.h"
#include "fugu/csv/csv_field.h"
#include "fugu/database/sqlite.h"
#include "tests/support/temp_file.h"

namespace fugu {
namespace {

std::string all_of(ByteSource& source, size_t piece) {
  std::string text, block(piece, '\0');
  while (const size_t size = source.read(block.data(), piece)) text.append(block, 0, size);
  return text;
}

class SqliteTableTest : public ::testing::Test {
 protected:
  SqliteTableTest() : file_("") {
    Database(file_.path())
        .run(
            "CREATE TABLE t (s TEXT COLLATE NOCASE, x REAL, n INTEGER);"
            "INSERT INTO t VALUES ('a', 0.1, 1), ('A', 0.1, 1), ('a', 0.1, 1), ('q\",', NULL, 2), ('', -0.0, "
            "NULL)");
  }
  std::unique_ptr<DatabaseTable> open(bool writes = false) {
    return open_database({.url = "sqlite:" + file_.path(), .table = "t", .writes = writes});
  }
  int64_t number(const std::string& sql) { return Database(file_.path()).number(sql); }

  TempFile file_;
};

TEST_F(SqliteTableTest, RowsAreCsvWithTextsInQuotes) {
  const auto table = open();
  EXPECT_EQ(table->head().header, (std::vector<std::string>{"s", "x", "n"}));
  EXPECT_EQ(table->head().row_word, "");
  EXPECT_TRUE(table->repeats());
  for (size_t piece : {size_t{1}, size_t{7}, size_t{4096}}) {
    EXPECT_EQ(all_of(*table->rows({0, 2, 1}, 0), piece),
              "\"a\",1,0.1\n\"A\",1,0.1\n\"a\",1,0.1\n\"q\"\",\",2,\n\"\",,0\n");
  }
  // One column alone: what is NULL is no blank line.
  EXPECT_EQ(all_of(*table->rows({2}, 0), 4096), "1\n1\n1\n2\n\"\"\n");
}

TEST_F(SqliteTableTest, LeavesCountingToThoseWhoRead) { EXPECT_FALSE(open()->counts({0, 1})); }

TEST_F(SqliteTableTest, ANewTableIsThereWhenItIsCommittedAndNotBefore) {
  const std::vector<NewColumn> columns = {
      {.name = "s", .source = 0, .content = NewColumn::Content::kText},
      {.name = "n", .source = 2, .content = NewColumn::Content::kKept, .quotes_tell = true}};
  for (bool commits : {false, true}) {
    const auto table = open(true);
    const auto made = table->create("out", columns, false);
    made->rows().write("\"a\nb\",1\n007,\n\"\",\"1");
    made->rows().write("\"\nlast,2.5");
    made->rows().finish();
    table->done_reading();
    made->put_in_place();
    if (commits) made->commit();
  }
  EXPECT_EQ(number("SELECT count(*) FROM out"), 4);
  EXPECT_EQ(number("SELECT count(*) FROM out WHERE s = '007' AND n IS NULL"), 1);
  EXPECT_EQ(number("SELECT count(*) FROM out WHERE s = '' AND n = 1"), 1);
  EXPECT_EQ(number("SELECT count(*) FROM out WHERE typeof(n) = 'real'"), 1);
}

TEST_F(SqliteTableTest, WhoStopsItIsHeard) {
  struct Stopped {};
  EXPECT_THROW(
      {
        const auto table =
            open_database({.url = "sqlite:" + file_.path(),
                           .query = "WITH RECURSIVE n(k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM n) "
                                    "SELECT k FROM n",
                           .stop = [] { throw Stopped(); }});
        all_of(*table->rows({0}, 0), 4096);
      },
      Stopped);
}

TEST(ShortestDecimal, IsWrittenAsPostgresDoes) {
  const std::pair<double, const char*> known[] = {{0.1, "0.1"},
                                                  {1, "1"},
                                                  {-0.0, "0"},
                                                  {100000, "100000"},
                                                  {1e14, "100000000000000"},
                                                  {1e15, "1e+15"},
                                                  {1e-4, "0.0001"},
                                                  {1e-5, "1e-05"},
                                                  {-1.5e300, "-1.5e+300"},
                                                  {5e-324, "5e-324"},
                                                  {1.0 / 3, "0.3333333333333333"}};
  for (const auto& [value, text] : known) EXPECT_EQ(shortest_decimal(value), text);
  EXPECT_EQ(shortest_decimal(-HUGE_VAL), "-Infinity");
}

RC_GTEST_PROP(ShortestDecimalProperty, ReadsAsTheNumber, (double value)) {
  RC_ASSERT(std::strtod(shortest_decimal(value).c_str(), nullptr) == value);
}

TEST(CsvField, IsQuotedWhereItMustBe) {
  const std::pair<const char*, const char*> known[] = {
      {"a", "a"},         {"", "\"\""},         {" a", "\" a\""}, {"a,b", "\"a,b\""}, {"\"", "\"\"\"\""},
      {"\\.", "\"\\.\""}, {"a\nb", "\"a\nb\""}, {"a b", "a b"},   {"\\.x", "\\.x"}};
  for (const auto& [text, field] : known) EXPECT_EQ(csv_field(text, ','), field);
}

}  // namespace
}  // namespace fugu
