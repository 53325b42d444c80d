#include "fugu/csv/chunks.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <unistd.h>

#include <string>
#include <thread>
#include <vector>

#include "fugu/core/error.h"
#include "tests/support/expect_error.h"
#include "tests/support/tables.h"
#include "tests/support/temp_file.h"

namespace fugu {
namespace {

using testing::expect_error;

Error error_of(const std::string& path, const CsvOptions& options = {}) {
  try {
    read_all(path, options);
  } catch (const Error& error) {
    return error;
  }
  return Error(ErrorKind::kBug, "no error", "");
}

TEST(ChunkReader, ReadsHeaderAndRows) {
  TempFile file("\xEF\xBB\xBFname;age\r\n\"Ann; B\";41\r\n Bob ;7\r\n\r\n");
  EXPECT_EQ(read_all(file.path(), {}), (Rows{{"name", "age"}, {"Ann; B", "41"}, {"Bob", "7"}}));
  EXPECT_EQ(ChunkReader(file.path()).head().separator, ';');
  EXPECT_EQ(ChunkReader(file.path(), {.separator = ','}).head().columns, 1U);
  ChunkReader without(file.path(), {.separator = {}, .header = false});
  EXPECT_TRUE(without.head().header.empty());
  EXPECT_EQ(without.head().columns, 2U);
}

TEST(ChunkReader, ReadsStandardInput) {
  TempFile file("a,b\n1,2\n");
  int saved = dup(STDIN_FILENO);
  ASSERT_NE(std::freopen(file.path().c_str(), "r", stdin), nullptr);
  EXPECT_EQ(ChunkReader("-").head().file, "standard input");
  ASSERT_EQ(lseek(STDIN_FILENO, 0, SEEK_SET), 0);
  EXPECT_EQ(read_all("-", {}), (Rows{{"a", "b"}, {"1", "2"}}));
  dup2(saved, STDIN_FILENO);
  close(saved);
}

TEST(ChunkReader, FilesThatCannotBeRead) {
  expect_error(error_of("/nonexistent/people.csv"), ErrorKind::kIo,
               "/nonexistent/people.csv: there is no such file", "check the path");
  expect_error(error_of("/tmp"), ErrorKind::kIo, "/tmp: this is a folder, not a file",
               "give the name of a file in it");
  expect_error(error_of("/proc/self/mem"), ErrorKind::kIo,
               "/proc/self/mem: cannot be read: Input/output error",
               "check the file's permissions and its disk");
}

TEST(ChunkReader, ContentsThatAreNoTable) {
  for (const char* text : {"", "\n", "\xEF\xBB\xBF", "\xEF\xBB\xBF\r\n \n"}) {
    TempFile file(text);
    expect_error(error_of(file.path()), ErrorKind::kData, file.path() + ": the file is empty",
                 "give a table with at least one row");
  }
  TempFile ragged("a,b\n1\n");
  EXPECT_EQ(error_of(ragged.path()).message(), ragged.path() + ": line 2 has 1 field, not 2");
  EXPECT_EQ(error_of(ragged.path()).kind(), ErrorKind::kData);
  TempFile open_quote("a,\"b\n1,2\n");
  EXPECT_EQ(error_of(open_quote.path()).message(),
            open_quote.path() + ": line 1 opens a quote that is never closed");
}

TEST(ChunkReader, RefusesImpossibleSeparators) {
  TempFile file("a,b\n1,2\n");
  for (char separator : {'"', '\n', '\r', ' ', '\0'}) {
    expect_error(error_of(file.path(), {.separator = separator}), ErrorKind::kUsage,
                 "--separator: a quote, a space, a line end or NUL cannot separate fields",
                 "give one character such as , or ; or a tab");
  }
  EXPECT_EQ(read_all(file.path(), {.separator = '|'}), (Rows{{"a,b"}, {"1,2"}}));
}

TEST(ChunkReader, AnUnclosedQuoteDoesNotTakeAllMemory) {
  TempFile file("a,b\n1,\"" + std::string(10000, 'x'));
  expect_error(
      error_of(file.path(), {.separator = ',', .header = true, .block_size = 64, .max_record_size = 1000}),
      ErrorKind::kData, file.path() + ": line 2 begins a record of more than 1000 bytes",
      "a quote may have been opened and never closed");
}

std::vector<std::string> texts_of(const std::string& path, const CsvOptions& options) {
  ChunkReader reader(path, options);
  std::vector<std::string> texts;
  for (Chunk chunk; reader.next(chunk);) {
    EXPECT_EQ(chunk.number(), texts.size());
    texts.emplace_back(chunk.text());
  }
  return texts;
}

using Texts = std::vector<std::string>;

TEST(ChunkReader, CutsBetweenRecords) {
  TempFile file("a,b\n1,2\n3,4\n\"5\n\",6\n7,8");
  EXPECT_EQ(texts_of(file.path(), {.separator = ',', .header = true, .block_size = 10}),
            (Texts{"1,2\n3,4\n", "\"5\n\",6\n", "7,8"}));
  EXPECT_EQ(texts_of(file.path(), {.separator = ',', .header = true, .block_size = 1}),
            (Texts{"1,2\n", "3,4\n", "\"5\n\",6\n", "7,8"}));
  EXPECT_EQ(texts_of(file.path(), {}), (Texts{"1,2\n3,4\n\"5\n\",6\n7,8"}));
}

// Only text tells whether blank lines are records or the end of the table.
TEST(ChunkReader, BlankLinesStayWithWhatFollows) {
  TempFile file("a\n1\n\n\n\n\n\n2\n \n\n");
  EXPECT_EQ(texts_of(file.path(), {.separator = ',', .header = true, .block_size = 4}),
            (Texts{"1\n", "\n\n\n\n\n2\n", " \n\n"}));
  EXPECT_EQ(read_all(file.path(), {.separator = ',', .header = true, .block_size = 4}),
            (Rows{{"a"}, {"1"}, {""}, {""}, {""}, {""}, {""}, {"2"}}));
}

TEST(ChunkReader, ABrokenRecordEndsTheLastChunk) {
  TempFile file("a,b\n1,2\n\"3\"x,4\n5,6\n7,8\n9,10\n");
  EXPECT_EQ(texts_of(file.path(), {.separator = ',', .header = true, .block_size = 20}).size(), 1U);
  EXPECT_EQ(error_of(file.path(), {.separator = ',', .header = true, .block_size = 20}).message(),
            file.path() + ": line 3 has text after a closing quote");
}

TEST(ChunkReader, ALongFieldGrowsOneChunk) {
  std::string field(8'000'000, 'x');
  for (size_t k = 0; k < field.size(); k += 1000) field[k] = '\n';
  TempFile file("a,b\n1,2\n\"" + field + "\",3\n4,5\n");
  Texts texts = texts_of(file.path(), {});
  ASSERT_GE(texts.size(), 2U);
  Rows rows = read_all(file.path(), {});
  EXPECT_EQ(rows.at(2), (Rows::value_type{field, "3"}));
  EXPECT_EQ(rows.at(3), (Rows::value_type{"4", "5"}));
}

TEST(ChunkReader, TellsTheShareThatWasRead) {
  TempFile file("a,b\n" + std::string(1000, '1') + ",2\n1,2\n");
  ChunkReader reader(file.path(), {.separator = ',', .header = true, .block_size = 100});
  double last = reader.fraction();
  for (Chunk chunk; reader.next(chunk);) {
    EXPECT_GE(reader.fraction(), last);
    last = reader.fraction();
  }
  EXPECT_EQ(last, 1.0);
}

// Chunks stay unchanged while later ones are read, and may outlive the reader.
TEST(ChunkReader, ChunksAreIndependent) {
  std::string text = "a\n";
  for (int k = 0; k < 1000; ++k) text += std::to_string(k) + "\n";
  TempFile file(text);
  std::vector<Chunk> chunks;
  std::string joined = "a\n";
  {
    ChunkReader reader(file.path(), {.separator = ',', .header = true, .block_size = 50});
    for (Chunk chunk; reader.next(chunk);) {
      chunks.push_back(std::move(chunk));
      if (chunks.size() % 3 == 0) {  // given back from another thread, and used again
        std::thread([&] { joined += chunks.back().text(), chunks.back() = Chunk(); }).join();
      } else {
        joined += chunks.back().text();
      }
    }
  }
  EXPECT_EQ(joined, text);
  EXPECT_EQ(chunks.at(0).text().substr(0, 4), "0\n1\n");
}

RC_GTEST_PROP(ChunkReader, ReadsBackWhatWasWritten, ()) {
  Written table = random_table();
  TempFile file(table.text);
  RC_ASSERT(read_all(file.path(), {.separator = table.separator}) == table.rows);
  RC_ASSERT(read_all(file.path(), {.separator = table.separator, .header = false}) == table.rows);
}

}  // namespace
}  // namespace fugu
