#include "fugu/table/table_head.h"

#include <gtest/gtest.h>

#include <string>

#include "fugu/core/error.h"
#include "fugu/csv/chunks.h"
#include "tests/support/expect_error.h"
#include "tests/support/temp_file.h"

namespace fugu {
namespace {

using testing::expect_error;

TableHead head_of(const std::string& path, const CsvOptions& options = {}) {
  return ChunkReader(path, options).head();
}

TEST(TableHead, FindsColumnsByNameThenByNumber) {
  TempFile file("race,2,job,job,,\"two\nlines\"\nx,x,x,x,x,x\n");
  TableHead head = head_of(file.path());
  EXPECT_EQ(head.column("race", "--secret"), 0U);
  EXPECT_EQ(head.column("2", "--secret"), 1U);
  EXPECT_EQ(head.column("3", "--secret"), 2U);
  EXPECT_EQ(head.column_text(0), "race");
  EXPECT_EQ(head.column_text(1), "2");
  EXPECT_EQ(head.column_text(3), "4");
  EXPECT_EQ(head.column_text(4), "5");
  EXPECT_EQ(head.column_place(0), "column 'race'");
  EXPECT_EQ(head.column_place(4), "column 5");
  EXPECT_EQ(head.column_place(5), "column 6");
  auto error_for = [&](const std::string& text) {
    try {
      head.column(text, "--secret");
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
TEST(TableHead, DoesNotListDataAsColumns) {
  TempFile file("39,State-gov,77516\n50,Private,83311\n");
  TableHead head = head_of(file.path());
  try {
    head.column("race", "--secret");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.hint(),
              "the table has 3 columns; if its first line is data, give --no-header and a number");
  }
}

TEST(TableHead, WithoutHeaderColumnsAreNumbers) {
  TempFile file("race,job\nx,y\n");
  TableHead head = head_of(file.path(), {.separator = {}, .header = false});
  EXPECT_EQ(head.column("2", "--public"), 1U);
  EXPECT_EQ(head.column_text(1), "2");
  EXPECT_EQ(head.column_place(1), "column 2");
  try {
    head.column("race", "--public");
    FAIL();
  } catch (const Error& error) {
    expect_error(error, ErrorKind::kUsage, "--public: " + file.path() + " has no column 'race'",
                 "without a header, name columns by number, here 1 to 2");
  }
}

TEST(TableHead, ColumnsWithoutATextOfTheirOwn) {
  TempFile file("2,a\xE9,a,a,4\n1,2,3,4,5\n");
  TableHead head = head_of(file.path());
  EXPECT_EQ(head.column_text(2), "3");
  EXPECT_THROW(head.column_text(1), Error);
  try {
    head.column_text(3);
    FAIL();
  } catch (const Error& error) {
    expect_error(error, ErrorKind::kUsage, file.path() + ": column 4 has no name, and another is named '4'",
                 "name the column in the file");
  }
}

TEST(TableHead, LongHeadersAreListedInPart) {
  std::string header = "c1";
  for (int k = 2; k <= 50; ++k) header += ",c" + std::to_string(k);
  TempFile file(header + "\n");
  try {
    head_of(file.path()).column("x", "--secret");
    FAIL();
  } catch (const Error& error) {
    EXPECT_TRUE(error.hint().ends_with("c39, c40, and 10 more")) << error.hint();
  }
}

TEST(TableHead, RemembersHowTheFirstRecordIsWritten) {
  TempFile file("\xEF\xBB\xBF a ; \"b;\nc\" \r\n1;2\n");
  TableHead head = head_of(file.path());
  EXPECT_EQ(head.file, file.path());
  EXPECT_EQ(head.separator, ';');
  EXPECT_EQ(head.columns, 2U);
  EXPECT_EQ(head.header, (std::vector<std::string>{"a", "b;\nc"}));
  EXPECT_EQ(head.raw_header, (std::vector<std::string>{" a ", " \"b;\nc\" "}));
  EXPECT_EQ(head.line_end, "\r\n");
  EXPECT_TRUE(head.byte_order_mark);
  TempFile plain("1;2");
  head = head_of(plain.path(), {.separator = {}, .header = false});
  EXPECT_TRUE(head.header.empty());
  EXPECT_TRUE(head.raw_header.empty());
  EXPECT_EQ(head.line_end, "\n");
  EXPECT_FALSE(head.byte_order_mark);
}

}  // namespace
}  // namespace fugu
