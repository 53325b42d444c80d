#include "fugu/csv/chunk_scan.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

#include "fugu/core/error.h"
#include "tests/support/tables.h"
#include "tests/support/temp_file.h"

namespace fugu {
namespace {

// Records, and the error that ends them, as one RecordParser over the whole text says it.
std::string parsed(const std::string& text, const CsvLayout& any, const std::vector<size_t>& choice) {
  std::string log;
  try {
    RecordParser first(any);
    first.start(text, 1, true);
    Record record;
    if (!first.next(record)) return "the file is empty";
    CsvLayout layout{.separator = any.separator, .columns = record.fields.size(), .wanted = {}};
    for (size_t column : choice) layout.wanted.push_back(column % layout.columns);
    RecordParser parser(layout);
    parser.start(std::string_view(text).substr(first.consumed()), first.line(), true);
    while (parser.next(record)) {
      log += log_of(record.fields.data(), record.fields.size(), record.line, record.raw);
    }
  } catch (const Error& error) {
    log += error.message() + error.hint();
  }
  return log;
}

// The same by chunks.
std::string scanned(const std::string& text, char separator, const std::vector<size_t>& choice, size_t size) {
  TempFile file(text);
  std::string log;
  try {
    ChunkReader reader(file.path(), {.separator = separator, .header = true, .block_size = size});
    std::vector<size_t> wanted;
    for (size_t column : choice) wanted.push_back(column % reader.head().columns);
    ChunkScanner scanner(reader.layout(wanted));
    uint64_t line = reader.first_line();
    for (Chunk chunk; reader.next(chunk);) {
      uint64_t visited = 0;
      ScanResult result =
          scanner.scan(chunk, line, [&](const Field* fields, uint64_t at, std::string_view raw) {
            log += log_of(fields, wanted.size(), at, raw);
            ++visited;
          });
      EXPECT_EQ(result.records, visited);
      line += result.lines;
    }
  } catch (const Error& error) {
    std::string message = error.message();
    if (message.starts_with(file.path())) message = message.substr(file.path().size() + 2);
    log += message == "the file is empty" ? message : message + error.hint();
  }
  return log;
}

void expect_same(const std::string& text, char separator, const std::vector<size_t>& choice) {
  std::string expected = parsed(text, CsvLayout{.separator = separator}, choice);
  for (size_t size : {1, 2, 3, 16, 17, 63, 64, 65, 100, 4096, 1 << 20}) {
    EXPECT_EQ(scanned(text, separator, choice, size), expected) << size << ": " << text.substr(0, 200);
  }
}

TEST(ChunkScan, OddFiles) {
  using std::string_literals::operator""s;
  std::string many;
  for (int k = 0; k < 3000; ++k) many += fmt::format("{},{}\n", k, k * k);
  std::string returns = "a,b\r\n";
  for (int k = 0; k < 300; ++k) returns += fmt::format("{},{}\r\n", k, std::string(k % 70, 'x'));
  for (const std::string& text : {""s,
                                  "\n"s,
                                  "a,b"s,
                                  "a,b\n"s,
                                  "a,b\n\n"s,
                                  "a,b\n1,2"s,
                                  "a,b\n1,2\r"s,
                                  "a,b\n1,2\n\n3,4\n"s,
                                  "a\n\n\nb\n\n"s,
                                  "a,b\r\n1,2\r\n \t\r\n\n  "s,
                                  "a,b\n1,2\r\r\n3,4\n"s,
                                  "a,b\n1,2\r3\n"s,
                                  "a,b\n1\r,2\n"s,
                                  "a,b\n1,\0\n"s,
                                  "a,b\n1,\"2\n3,4\n"s,
                                  "a,b\n\"1\"x,2\n"s,
                                  "a,b\n5\" pipe,a \"b\" c\n"s,
                                  "a,b\n1,2\n1,2,3\n4,5\n"s,
                                  "a,b\n1,2\n1\n4,5\n"s,
                                  "a,b\n \"x\ny\" , z \n\t1\t,2\n"s,
                                  "a,b\n\"x\"\"y\",\"\"\"\"\n"s,
                                  "a,b\n,\n , \n"s,
                                  "a,b\n" + many,
                                  "a,b\n" + many + "\"x\n\",2\n" + many,
                                  "a,b\n" + many + "1,2,3\n" + many,
                                  returns,
                                  returns + "1\r,2\r\n",
                                  "a,b\n" + many + "\n\n",
                                  "a,b\n" + std::string(500, '\n') + "1,2\n"}) {
    expect_same(text, ',', {1, 0});
    expect_same(text, ',', {0});
    expect_same(text, ';', {0, 0, 0});
    expect_same(text, ',', {});
  }
  expect_same("a\tb\n1\t\n\t\n \t \n", '\t', {0, 1});
}

TEST(ChunkScan, ManyColumns) {
  std::string text;
  for (int row = 0; row < 20; ++row) {
    for (int k = 0; k < 5000; ++k) text += fmt::format("{}{}", k == 0 ? "" : ",", row * k % 1000);
    text += "\n";
  }
  std::string expected = parsed(text, CsvLayout{.separator = ','}, {4999, 17, 0});
  EXPECT_EQ(scanned(text, ',', {4999, 17, 0}, 1 << 20), expected);
  EXPECT_EQ(scanned(text, ',', {4999, 17, 0}, 10000), expected);
}

TEST(ChunkScan, WhatVisitThrowsEndsTheScan) {
  TempFile file("a\n1\n2\n3\n");
  ChunkReader reader(file.path(), {});
  ChunkScanner scanner(reader.layout({0}));
  Chunk chunk;
  ASSERT_TRUE(reader.next(chunk));
  uint64_t visits = 0;
  auto visit = [&](const Field*, uint64_t line, std::string_view) {
    ++visits;
    if (line == 3) throw std::runtime_error("stop");
  };
  EXPECT_THROW(scanner.scan(chunk, reader.first_line(), visit), std::runtime_error);
  EXPECT_EQ(visits, 2U);
}

RC_GTEST_PROP(ChunkScan, AgreesWithRecordParser, ()) {
  char separator = *rc::gen::element(',', ';', '\t', '|');
  std::string text;
  if (*rc::gen::arbitrary<bool>()) {
    Written table = random_table();
    separator = table.separator;
    text = table.text;
  } else {
    // Mostly plain records, now and then something odd.
    auto odd = rc::gen::weightedElement<char>(
        {{60, 'a'}, {20, separator}, {15, '\n'}, {2, '\r'}, {2, ' '}, {1, '"'}, {1, '\0'}, {2, '\t'}});
    for (int k = *rc::gen::inRange(0, 60); k > 0; --k) {
      text += *rc::gen::arbitrary<bool>() ? fmt::format("{}{}x\n", k, separator)
                                          : *rc::gen::resize(8, rc::gen::container<std::string>(odd));
    }
  }
  auto choice = *rc::gen::resize(4, rc::gen::container<std::vector<size_t>>(rc::gen::inRange<size_t>(0, 5)));
  auto size = *rc::gen::inRange<size_t>(1, 200);
  RC_ASSERT(scanned(text, separator, choice, size) ==
            parsed(text, CsvLayout{.separator = separator}, choice));
}

}  // namespace
}  // namespace fugu
