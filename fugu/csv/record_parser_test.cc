#include "fugu/csv/record_parser.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "fugu/core/error.h"

namespace fugu {
namespace {

using Rows = std::vector<std::vector<std::string>>;

Rows parse(std::string_view text, char separator = ',') {
  RecordParser parser(CsvLayout{.separator = separator});
  parser.start(text, 1, true);
  Rows rows;
  for (Record record; parser.next(record);) {
    rows.emplace_back();
    for (const Field& field : record.fields) rows.back().emplace_back(field.text);
  }
  return rows;
}

// The error of parsing a table whose records must have `columns` fields.
Error record_error(std::string_view text, size_t columns = 2) {
  RecordParser parser({.separator = ',', .columns = columns, .wanted = {0}});
  parser.start(text, 1, true);
  try {
    for (Record record; parser.next(record);) continue;
  } catch (const Error& error) {
    return error;
  }
  return Error(ErrorKind::kBug, "no error", "");
}

TEST(RecordParser, PlainFields) {
  EXPECT_EQ(parse("a,b\n1,2\n"), (Rows{{"a", "b"}, {"1", "2"}}));
  EXPECT_EQ(parse("a,b\n1,2"), (Rows{{"a", "b"}, {"1", "2"}}));
  EXPECT_EQ(parse("a;b\n1,5;2\n", ';'), (Rows{{"a", "b"}, {"1,5", "2"}}));
  EXPECT_EQ(parse("a\tb\n\t\n", '\t'), (Rows{{"a", "b"}, {"", ""}}));
  EXPECT_EQ(parse(",\n,,"), (Rows{{"", ""}, {"", "", ""}}));
  EXPECT_EQ(parse(""), Rows{});
}

TEST(RecordParser, LineEnds) {
  EXPECT_EQ(parse("a,b\r\n1,2\r\n"), (Rows{{"a", "b"}, {"1", "2"}}));
  EXPECT_EQ(parse("a,b\r\n1,2\n3,4\r\r\n5,6\r"), (Rows{{"a", "b"}, {"1", "2"}, {"3", "4"}, {"5", "6"}}));
  EXPECT_EQ(parse("\"a\",\"b\"\r\n\"1\",\"2\"\r"), (Rows{{"a", "b"}, {"1", "2"}}));
}

TEST(RecordParser, Quotes) {
  EXPECT_EQ(parse("\"a,b\",\"c\"\"d\"\n\"\",\"x\ny\"\n"), (Rows{{"a,b", "c\"d"}, {"", "x\ny"}}));
  EXPECT_EQ(parse("\"\"\"\",\"\"\"a\"\"\"\n"), (Rows{{"\"", "\"a\""}}));
  EXPECT_EQ(parse("\"a\r\nb\",c\n"), (Rows{{"a\r\nb", "c"}}));
  EXPECT_EQ(parse("\"a\""), (Rows{{"a"}}));
  EXPECT_EQ(parse("5\" pipe,a \"b\" c\n"), (Rows{{"5\" pipe", "a \"b\" c"}}));
}

TEST(RecordParser, BlanksAroundFieldsAreTrimmedOutsideQuotes) {
  EXPECT_EQ(parse(" a , b c\t,\td \n"), (Rows{{"a", "b c", "d"}}));
  EXPECT_EQ(parse("a, \" b \" ,\t\"c\"\n"), (Rows{{"a", " b ", "c"}}));
  EXPECT_EQ(parse(" a \t b \n", '\t'), (Rows{{"a", "b"}}));
}

TEST(RecordParser, BlankLinesAtTheEndAreIgnored) {
  EXPECT_EQ(parse("a,b\n\n"), (Rows{{"a", "b"}}));
  EXPECT_EQ(parse("a,b\r\n\r\n \t\r\n\n  "), (Rows{{"a", "b"}}));
  EXPECT_EQ(parse("\n\n"), Rows{});
  EXPECT_EQ(parse("a\n\n\nb\n\n"), (Rows{{"a"}, {""}, {""}, {"b"}}));
}

TEST(RecordParser, YieldsTheWantedColumnsWithRawTextAndLines) {
  RecordParser parser({.separator = ',', .columns = 3, .wanted = {2, 0, 2}});
  std::string text = "a, \"b\n\n\" ,\"c\"\"\"\r\nd,e, f \n";
  parser.start(text, 10, true);
  Record record;
  ASSERT_TRUE(parser.next(record));
  EXPECT_EQ(record.line, 10U);
  EXPECT_EQ(record.raw, "a, \"b\n\n\" ,\"c\"\"\"");
  EXPECT_EQ(record.fields[0].text, "c\"");
  EXPECT_EQ(record.fields[0].raw, "\"c\"\"\"");
  EXPECT_EQ(record.fields[1].text, "a");
  EXPECT_EQ(record.fields[2].text, "c\"");
  ASSERT_TRUE(parser.next(record));
  EXPECT_EQ(record.line, 13U);
  EXPECT_EQ(record.fields[0].text, "f");
  EXPECT_EQ(record.fields[0].raw, " f ");
  EXPECT_EQ(record.fields[0].raw.data(), text.data() + text.find(" f "));  // the block itself: no copy
  EXPECT_FALSE(parser.next(record));
  EXPECT_EQ(parser.consumed(), text.size());
  EXPECT_EQ(parser.line(), 14U);
}

TEST(RecordParser, LeavesAnUnfinishedRecordForTheNextBlock) {
  for (std::string_view rest :
       {"c", "c,", "c,d", "c,d\r", "\"c", "\"c\"", "\"c\nd", "c,\"d\" ", "\n", " \n\n"}) {
    RecordParser parser({.separator = ',', .columns = 2, .wanted = {0, 1}});
    std::string block = "a,b\n" + std::string(rest);
    parser.start(block, 1, false);
    Record record;
    ASSERT_TRUE(parser.next(record));
    EXPECT_FALSE(parser.next(record)) << rest;
    EXPECT_EQ(parser.consumed(), 4U) << rest;
    EXPECT_EQ(parser.line(), 2U) << rest;
  }
}

TEST(RecordParser, RaggedLines) {
  Error error = record_error("a,b\n1,2\n1,2,3\n");
  EXPECT_EQ(error.kind(), ErrorKind::kData);
  EXPECT_EQ(error.message(), "line 3 has 3 fields, not 2");
  EXPECT_EQ(error.hint(),
            "every line must have as many fields as the first; the separator is ',', and a field that "
            "holds one "
            "must be quoted");
  EXPECT_EQ(record_error("a,b\n\"x\ny\",2\n1\n").message(), "line 4 has 1 field, not 2");
  EXPECT_EQ(record_error("a,b\n\n1,2\n").message(), "line 2 has 1 field, not 2");
  EXPECT_EQ(record_error("a,b\n1,2").message(), "no error");
}

TEST(RecordParser, BrokenQuotes) {
  EXPECT_EQ(record_error("a,b\n1,\"2\n3,4\n").message(), "line 2 opens a quote that is never closed");
  EXPECT_EQ(record_error("a,\"b\nc\",\"d\n", 3).message(), "line 2 opens a quote that is never closed");
  EXPECT_EQ(record_error("a,\"").message(), "line 1 opens a quote that is never closed");
  EXPECT_EQ(record_error("a,\"b\"\"").message(), "line 1 opens a quote that is never closed");
  EXPECT_EQ(record_error("a,b\n\"1\"x,2\n").message(), "line 2 has text after a closing quote");
  EXPECT_EQ(record_error("a,b\n\"1\" \"x\",2\n").message(), "line 2 has text after a closing quote");
  EXPECT_EQ(record_error("a,b\n\"1\n\"x").message(), "line 3 has text after a closing quote");
  EXPECT_EQ(
      record_error("a,b\n\"1\"x,2\n").hint(),
      "write a quote inside a quoted field twice (\"\"), and end the field right after the closing quote");
}

TEST(RecordParser, NulBytesAndStrayReturns) {
  using std::string_literals::operator""s;
  EXPECT_EQ(record_error("a,b\n1,\0\n"s).message(), "line 2 has a NUL byte");
  EXPECT_EQ(record_error("a,b\n1,\"2\n\0\"\n"s).message(), "line 3 has a NUL byte");
  EXPECT_EQ(record_error("\xFF\xFE"
                         "a\0,\0b\0\n\0"s)
                .message(),
            "line 1 has a NUL byte");
  EXPECT_EQ(record_error("a,b\r1,2\r").message(), "line 1 has a carriage return that does not end the line");
  EXPECT_EQ(record_error("a,b\n1\r,2\n").message(),
            "line 2 has a carriage return that does not end the line");
  EXPECT_EQ(record_error("a,b\n1,2\r3\n").message(),
            "line 2 has a carriage return that does not end the line");
  EXPECT_EQ(record_error("a,b\n1,2\r3").message(), "line 2 has a carriage return that does not end the line");
  EXPECT_EQ(record_error("a,b\n1,2\r \n").message(),
            "line 2 has a carriage return that does not end the line");
}

TEST(DetectSeparator, ChoosesTheOneTheRecordsAgreeOn) {
  EXPECT_EQ(detect_separator("a,b\n1,2\n", true), ',');
  EXPECT_EQ(detect_separator("a;b\n1,5;2,5\n", true), ';');
  EXPECT_EQ(detect_separator("a\tb\n1,5\t2\n", true), '\t');
  EXPECT_EQ(detect_separator("\"a;x\",\"b;y\",c\n\"1;;\",2,3\n", true), ',');
  EXPECT_EQ(detect_separator("\"a,x\";\"b\"\n1;2\n", true), ';');
  EXPECT_EQ(detect_separator("a, b; c,d\n1,2,3\n4,5,6\n", true), ',');
  EXPECT_EQ(detect_separator("just\none\n", true), ',');
  EXPECT_EQ(detect_separator("", true), ',');
  EXPECT_EQ(detect_separator("a;b;c", false), ';');
  EXPECT_EQ(detect_separator("a;b\n1;2\n3,4,5,", false), ';');
  EXPECT_EQ(detect_separator("a;b;c\n1;2\n", true), ';');  // ragged: the reader names the line
  EXPECT_EQ(detect_separator("a,\"b\n1,2\n", true), ',');  // unclosed: so too
  EXPECT_EQ(detect_separator("a;\"b\n1;2\n", true), ';');
  EXPECT_EQ(detect_separator("a;b\n1;\"2\n", true), ';');
}

}  // namespace
}  // namespace fugu
