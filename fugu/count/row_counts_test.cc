#include "fugu/count/row_counts.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

#include "tests/support/tables.h"
#include "tests/support/temp_file.h"

namespace fugu {
namespace {

// Rows with counts and first lines in the order of the file, or the error: what one parser over all of it
// says.
std::string counted_simply(const std::string& text, const std::vector<size_t>& columns,
                           const RowCheck& check) {
  try {
    RecordParser first(CsvLayout{.separator = ','});
    first.start(text, 1, true);
    Record record;
    first.next(record);
    RecordParser parser({.separator = ',', .columns = record.fields.size(), .wanted = columns});
    parser.start(std::string_view(text).substr(first.consumed()), first.line(), true);
    Tally rows;
    uint64_t total = 0;
    for (; parser.next(record); ++total) {
      std::string key(record.fields[0].text);
      for (size_t k = 1; k < columns.size(); ++k) key.append(1, '\0').append(record.fields[k].text);
      size_t known = rows.size();
      rows.add(key, record.line);
      if (rows.size() > known) check(record.fields.data(), record.line);
    }
    std::string log = fmt::format("{} rows\n", total);
    for (const auto& row : rows.entries()) log += fmt::format("{} {} {}\n", row.line, row.count, row.key);
    return log;
  } catch (const Error& error) {
    return error.message();
  }
}

std::string counted(const std::string& path, const std::vector<size_t>& columns, const RowCheck& check,
                    size_t threads, size_t chunk_size) {
  try {
    ChunkReader reader(path, {.separator = ',', .header = true, .block_size = chunk_size});
    RowCounts counts = count_rows(reader, columns, check, threads, {});
    std::string log = fmt::format("{} rows\n", counts.total);
    for (const auto& row : counts.rows.entries())
      log += fmt::format("{} {} {}\n", row.line, row.count, row.key);
    return log;
  } catch (const Error& error) {
    return error.message().starts_with(path) ? error.message().substr(path.size() + 2) : error.message();
  }
}

void no_bad(const Field* fields, uint64_t line) {
  if (fields[0].text == "bad") throw Error(ErrorKind::kData, fmt::format("line {} is bad", line), "");
}

void expect_same(const std::string& text, const std::vector<size_t>& columns) {
  TempFile file(text);
  std::string expected = counted_simply(text, columns, no_bad);
  for (size_t threads : {1, 2, 7}) {
    for (size_t chunk_size : {16, 100, 1 << 12, 1 << 20}) {
      EXPECT_EQ(counted(file.path(), columns, no_bad, threads, chunk_size), expected)
          << threads << " threads, chunks of " << chunk_size;
    }
  }
}

std::string some_rows(size_t count) {
  std::string text;
  for (size_t k = 0; k < count; ++k) {
    text += fmt::format("{},{},{}\n", k * k % 13, std::string(k * 31 % 19, 'x'), k * 7919 % 97);
  }
  return text;
}

TEST(RowCounts, DoNotDependOnThreadsOrChunks) {
  std::string head = "a,b,c\n", rows = some_rows(2000), quoted = "\"x\ny\",\"\"\"\",3\n";
  for (const std::vector<size_t>& columns :
       {std::vector<size_t>{0, 1}, {2, 1}, {0, 1, 2}, {1}, {0, 0, 1, 2}, {2, 0}}) {
    expect_same(head + rows, columns);
    expect_same(head + rows + quoted + rows + quoted + "last,1,2", columns);
    expect_same(head, columns);
  }
}

TEST(RowCounts, TheFirstErrorInTheFileWins) {
  std::string head = "a,b,c\n", rows = some_rows(500), bad = "bad,1,2\n", ragged = "1,2\n";
  std::string quote = "\"1\"x,2,3\n", open = "\"never,closed,\n", quoted = "\"x\ny\",\"\",3\n";
  for (const std::string& text :
       {bad, ragged, quote, open, rows + bad + rows + ragged, rows + ragged + rows + bad,
        rows + quoted + bad + bad, rows + quote + rows + bad, quoted + rows + bad + open,
        quoted + rows + open + bad, bad + rows + bad, rows + rows + "\n" + rows}) {
    expect_same(head + text, {0, 1});
    expect_same(head + text, {0, 1, 2});
    expect_same(head + text, {0});
  }
}

TEST(RowCounts, ProgressCanStopThem) {
  TempFile file("a,b,c\n" + some_rows(1000));
  for (size_t threads : {1, 2, 7}) {
    ChunkReader reader(file.path(), {.separator = ',', .header = true, .block_size = 100});
    double last = 0;
    auto stop = [&](double fraction, std::string_view what) {
      EXPECT_EQ(what, "reading the table");
      EXPECT_GE(fraction, last);
      last = fraction;
      throw std::runtime_error("stop");
    };
    try {
      count_rows(reader, {0, 1}, no_bad, threads, stop);  // other threads may have counted all
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "stop");
    }
  }
}

RC_GTEST_PROP(RowCounts, AreThoseOfOneParser, ()) {
  std::string text = random_table().text;
  RC_PRE(text.find_first_not_of(" \t\r\n") !=
         std::string::npos);  // a lone tab is an empty file, not two fields
  TempFile file(text);
  auto threads = *rc::gen::element<size_t>(1, 2, 7);
  auto chunk_size = *rc::gen::inRange<size_t>(1, 64);
  std::vector<size_t> columns{0, 0};
  if (*rc::gen::arbitrary<bool>()) columns.push_back(0);
  RC_ASSERT(counted(file.path(), columns, no_bad, threads, chunk_size) ==
            counted_simply(text, columns, no_bad));
}

}  // namespace
}  // namespace fugu
