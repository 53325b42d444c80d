#include "fugu/table/csv.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "fugu/core/error.h"
#include "fugu/table/temp_file_for_tests.h"

namespace fugu {
namespace {

using Rows = std::vector<std::vector<std::string>>;

Rows read_all(const std::string& path, const CsvOptions& options) {
  CsvReader reader(path, options);
  std::vector<size_t> columns;
  for (size_t k = 0; k < reader.columns(); ++k) columns.push_back(k);
  reader.select(columns);
  Rows rows;
  if (options.header) rows.push_back(reader.header());
  for (Record record; reader.next(record);) {
    rows.emplace_back();
    for (const Field& field : record.fields) rows.back().emplace_back(field.text);
  }
  return rows;
}

Error error_of(const std::string& path, const CsvOptions& options = {}) {
  try {
    read_all(path, options);
  } catch (const Error& error) {
    return error;
  }
  return Error(ErrorKind::kBug, "no error", "");
}

void expect_error(const Error& error, ErrorKind kind, const std::string& message, const std::string& hint) {
  EXPECT_EQ(error.kind(), kind);
  EXPECT_EQ(error.message(), message);
  EXPECT_EQ(error.hint(), hint);
}

TEST(CsvReader, ReadsHeaderAndRows) {
  TempFile file("\xEF\xBB\xBFname;age\r\n\"Ann; B\";41\r\n Bob ;7\r\n\r\n");
  EXPECT_EQ(read_all(file.path(), {}), (Rows{{"name", "age"}, {"Ann; B", "41"}, {"Bob", "7"}}));
  EXPECT_EQ(CsvReader(file.path(), {}).separator(), ';');
  EXPECT_EQ(CsvReader(file.path(), {.separator = ','}).columns(), 1U);
  CsvReader without(file.path(), {.separator = {}, .header = false});
  EXPECT_TRUE(without.header().empty());
  EXPECT_EQ(without.columns(), 2U);
}

TEST(CsvReader, ReadsStandardInput) {
  TempFile file("a,b\n1,2\n");
  int saved = dup(STDIN_FILENO);
  ASSERT_NE(std::freopen(file.path().c_str(), "r", stdin), nullptr);
  CsvReader reader("-", {});
  EXPECT_EQ(reader.name(), "standard input");
  reader.select({1});
  Record record;
  ASSERT_TRUE(reader.next(record));
  EXPECT_EQ(record.fields[0].text, "2");
  EXPECT_EQ(record.line, 2U);
  EXPECT_FALSE(reader.next(record));
  dup2(saved, STDIN_FILENO);
  close(saved);
}

TEST(CsvReader, FindsColumnsByNameThenByNumber) {
  TempFile file("race,2,job,job,,\"two\nlines\"\nx,x,x,x,x,x\n");
  CsvReader reader(file.path(), {});
  EXPECT_EQ(reader.column("race", "--secret"), 0U);
  EXPECT_EQ(reader.column("2", "--secret"), 1U);
  EXPECT_EQ(reader.column("3", "--secret"), 2U);
  EXPECT_EQ(reader.column_text(0), "race");
  EXPECT_EQ(reader.column_text(1), "2");
  EXPECT_EQ(reader.column_text(3), "4");
  EXPECT_EQ(reader.column_text(4), "5");
  EXPECT_EQ(reader.column_place(0), "column 'race'");
  EXPECT_EQ(reader.column_place(4), "column 5");
  EXPECT_EQ(reader.column_place(5), "column 6");
  auto error_for = [&](const std::string& text) {
    try {
      reader.column(text, "--secret");
    } catch (const Error& error) {
      return error;
    }
    return Error(ErrorKind::kBug, "no error", "");
  };
  expect_error(error_for("sex"), ErrorKind::kUsage, "--secret: " + file.path() + " has no column 'sex'",
               "the columns are: race, 2, job, job, 5, 6");
  expect_error(error_for("job"), ErrorKind::kUsage,
               "--secret: " + file.path() + " has several columns named 'job'",
               "give the number of one, such as 3 or 4");
  for (const char* text : {"0", "7", "-1", "1.0", "99999999999999999999999", " 1"}) {
    EXPECT_EQ(error_for(text).kind(), ErrorKind::kUsage) << text;
  }
  EXPECT_EQ(error_for("").message(), "no error");  // the fifth column is named so
}

// A first line of data taken for a header: the hint must not show it.
TEST(CsvReader, DoesNotListDataAsColumns) {
  TempFile file("39,State-gov,77516\n50,Private,83311\n");
  CsvReader reader(file.path(), {});
  try {
    reader.column("race", "--secret");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.hint(),
              "the table has 3 columns; if its first line is data, give --no-header and a number");
  }
}

TEST(CsvReader, WithoutHeaderColumnsAreNumbers) {
  TempFile file("race,job\nx,y\n");
  CsvReader reader(file.path(), {.separator = {}, .header = false});
  EXPECT_EQ(reader.column("2", "--public"), 1U);
  EXPECT_EQ(reader.column_text(1), "2");
  EXPECT_EQ(reader.column_place(1), "column 2");
  try {
    reader.column("race", "--public");
    FAIL();
  } catch (const Error& error) {
    expect_error(error, ErrorKind::kUsage, "--public: " + file.path() + " has no column 'race'",
                 "without a header columns are numbers, here 1 to 2");
  }
}

TEST(CsvReader, ColumnsWithoutATextOfTheirOwn) {
  TempFile file("2,a\xE9,a,a,4\n1,2,3,4,5\n");
  CsvReader reader(file.path(), {});
  EXPECT_EQ(reader.column_text(2), "3");
  EXPECT_THROW(reader.column_text(1), Error);
  try {
    reader.column_text(3);
    FAIL();
  } catch (const Error& error) {
    expect_error(error, ErrorKind::kUsage,
                 file.path() + ": column 4 has no name of its own, and another is named '4'",
                 "give the column a name of its own in the file");
  }
}

TEST(CsvReader, LongHeadersAreListedInPart) {
  std::string header = "c1";
  for (int k = 2; k <= 50; ++k) header += ",c" + std::to_string(k);
  TempFile file(header + "\n");
  try {
    CsvReader(file.path(), {}).column("x", "--secret");
    FAIL();
  } catch (const Error& error) {
    EXPECT_TRUE(error.hint().ends_with("c39, c40, and 10 more")) << error.hint();
  }
}

TEST(CsvReader, FilesThatCannotBeRead) {
  expect_error(error_of("/nonexistent/people.csv"), ErrorKind::kIo,
               "/nonexistent/people.csv: there is no such file", "check the path");
  expect_error(error_of("/tmp"), ErrorKind::kIo, "/tmp: this is a directory, not a file",
               "give the path of a CSV or TSV file");
  expect_error(error_of("/proc/self/mem"), ErrorKind::kIo,
               "/proc/self/mem: it cannot be read: Input/output error",
               "check that the file may be read and that its disk is well");
}

TEST(CsvReader, ContentsThatAreNoTable) {
  for (const char* text : {"", "\n", "\xEF\xBB\xBF", "\xEF\xBB\xBF\r\n \n"}) {
    TempFile file(text);
    expect_error(error_of(file.path()), ErrorKind::kData, file.path() + ": the file is empty",
                 "give a table with at least one row");
  }
  TempFile gzip("\x1f\x8b\x08rest");
  expect_error(error_of(gzip.path()), ErrorKind::kUsage, gzip.path() + ": this is a gzip file",
               "decompress it first, for example with gzip -d");
  TempFile zstd("\x28\xb5\x2f\xfdrest");
  expect_error(error_of(zstd.path()), ErrorKind::kUsage, zstd.path() + ": this is a zstd file",
               "decompress it first, for example with zstd -d");
  TempFile ragged("a,b\n1\n");
  EXPECT_EQ(error_of(ragged.path()).message(), ragged.path() + ": line 2 has 1 field, not 2");
  EXPECT_EQ(error_of(ragged.path()).kind(), ErrorKind::kData);
  TempFile open_quote("a,\"b\n1,2\n");
  EXPECT_EQ(error_of(open_quote.path()).message(),
            open_quote.path() + ": line 1 opens a quote that is never closed");
}

TEST(CsvReader, RefusesImpossibleSeparators) {
  TempFile file("a,b\n1,2\n");
  for (char separator : {'"', '\n', '\r', ' ', '\0'}) {
    expect_error(error_of(file.path(), {.separator = separator}), ErrorKind::kUsage,
                 "--separator: a quote, a space, a line end or NUL cannot separate fields",
                 "give one character such as , or ; or a tab");
  }
  EXPECT_EQ(read_all(file.path(), {.separator = '|'}), (Rows{{"a,b"}, {"1,2"}}));
}

TEST(CsvReader, AnUnclosedQuoteDoesNotTakeAllMemory) {
  TempFile file("a,b\n1,\"" + std::string(10000, 'x'));
  expect_error(
      error_of(file.path(), {.separator = ',', .header = true, .block_size = 64, .max_record_size = 1000}),
      ErrorKind::kData, file.path() + ": line 2 begins a record of more than 1000 bytes",
      "a quote may have been opened and never closed");
}

TEST(CsvReader, ReportsProgressAndCanBeStopped) {
  TempFile file("a,b\n" + std::string(1000, '1') + ",2\n1,2\n");
  double last = 0;
  CsvReader reader(file.path(), {.separator = ',', .header = true, .block_size = 100},
                   [&](double fraction, std::string_view what) {
                     EXPECT_GE(fraction, last);
                     EXPECT_EQ(what, "reading the table");
                     last = fraction;
                   });
  reader.select({0});
  for (Record record; reader.next(record);) continue;
  EXPECT_EQ(last, 1.0);
  auto stop = [](double, std::string_view) { throw std::runtime_error("stop"); };
  EXPECT_THROW(CsvReader(file.path(), {}, stop), std::runtime_error);
}

// A random table, and a random way to write it.
struct Written {
  Rows rows;
  std::string text;
  char separator;
};

std::string write_field(const std::string& field, char separator) {
  bool needs_quotes = field.find_first_of(std::string("\"\r\n \t") + separator) != std::string::npos;
  auto blanks = [&] {
    auto blank = rc::gen::element(' ', separator == '\t' ? ' ' : '\t');
    return *rc::gen::resize(2, rc::gen::container<std::string>(blank));
  };
  std::string before = blanks(), after = blanks();
  if (!needs_quotes && *rc::gen::arbitrary<bool>()) return before + field + after;
  std::string quoted = "\"";
  for (char c : field) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return before + quoted + "\"" + after;
}

Written random_table() {
  Written table;
  table.separator = *rc::gen::element(',', ';', '\t');
  auto field = rc::gen::resize(6, rc::gen::container<std::string>(rc::gen::element(
                                      'a', 'b', '1', ',', ';', '\t', ' ', '"', '\n', '\r', '\xC3')));
  auto columns = *rc::gen::inRange<size_t>(2, 5);
  auto height = *rc::gen::inRange<size_t>(1, 8);
  for (size_t row = 0; row < height; ++row) {
    table.rows.push_back(*rc::gen::container<std::vector<std::string>>(columns, field));
    for (size_t k = 0; k < columns; ++k) {
      if (k > 0) table.text += table.separator;
      table.text += write_field(table.rows.back()[k], table.separator);
    }
    if (row + 1 < height || *rc::gen::arbitrary<bool>())
      table.text += *rc::gen::element<std::string>("\n", "\r\n");
  }
  return table;
}

RC_GTEST_PROP(CsvReader, ReadsBackWhatWasWritten, ()) {
  Written table = random_table();
  TempFile file(table.text);
  RC_ASSERT(read_all(file.path(), {.separator = table.separator}) == table.rows);
  RC_ASSERT(read_all(file.path(), {.separator = table.separator, .header = false}) == table.rows);
}

// Rows, lines and errors do not depend on where blocks end, whatever the bytes.
RC_GTEST_PROP(CsvReader, BlockSizeDoesNotMatter, ()) {
  std::string text =
      *rc::gen::arbitrary<bool>()
          ? random_table().text
          : *rc::gen::container<std::string>(rc::gen::element('a', ',', '"', '\n', '\r', ' ', 'b', '\0'));
  TempFile file(text);
  auto outcome = [&](size_t block_size) {
    std::string log;
    try {
      CsvReader reader(file.path(), {.separator = ',', .header = true, .block_size = block_size});
      reader.select({reader.columns() - 1, 0});
      for (Record record; reader.next(record);) {
        log += fmt::format("{}: {}", record.line, record.raw);
        for (const Field& field : record.fields) log += fmt::format("|{}|{}", field.text, field.raw);
      }
    } catch (const Error& error) {
      log += error.message();
    }
    return log;
  };
  auto block_size = *rc::gen::inRange<size_t>(1, 65);
  RC_ASSERT(outcome(block_size) == outcome(size_t{1} << 20));
}

}  // namespace
}  // namespace fugu
