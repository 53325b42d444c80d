#include "fugu/count/row_order.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

#include "fugu/count/row_counts.h"
#include "fugu/csv/row_cache.h"
#include "tests/support/tables.h"
#include "tests/support/temp_file.h"

namespace fugu {
namespace {

void any_row(const Field*, uint64_t) {}

struct Counted {
  RowCounts counts;
  std::vector<std::string> rows;  // the remembered ones, then those that a reader finds behind them
};

Counted counted(const std::string& path, const std::vector<size_t>& columns, size_t threads,
                size_t chunk_size, size_t most_order) {
  const CsvOptions options{.separator = ',', .header = true, .block_size = chunk_size};
  ChunkReader reader(path, options);
  Counted result{count_rows(reader, columns, any_row, threads, {}, {}, most_order), {}};
  const RowOrder& order = result.counts.order;
  uint64_t line = reader.first_line();
  for (const RowOrder::Part& part : order.parts) {
    auto add = [&](size_t number) {
      result.rows.emplace_back(result.counts.rows[order.known[part.counter][number]].key);
    };
    for (const uint8_t number : part.narrow) add(number);
    for (const uint16_t number : part.wide) add(number);
    line += part.lines;
  }
  ChunkReader rest(path, options);
  EXPECT_EQ(rest.chunk_size(), order.parts.empty() ? rest.chunk_size() : order.chunk_size);
  if (!order.parts.empty()) rest.skip_to(order.parts.size(), order.parts.back().end);
  ChunkScanner scanner(rest.layout(columns));
  size_t behind = 0;
  for (Chunk chunk; rest.next(chunk); ++behind) {
    line += scanner
                .scan(chunk, line,
                      [&](const Field* fields, uint64_t, std::string_view) {
                        std::string key(fields[0].text);
                        for (size_t k = 1; k < columns.size(); ++k)
                          key.append(1, '\0').append(fields[k].text);
                        result.rows.push_back(key);
                      })
                .lines;
  }
  EXPECT_EQ(behind == 0, order.whole || result.counts.total == 0);
  return result;
}

std::string log_of(const RowCounts& counts) {
  std::string log = std::to_string(counts.total) + "\n";
  for (const Tally::Entry& row : counts.rows.entries())
    log += std::to_string(row.line) + " " + std::to_string(row.count) + " " + std::string(row.key) + "\n";
  return log;
}

// However much of the order is remembered, the counts are the same, and with what is read behind it every row
// comes once, in its order.
void expect_order(const std::string& text, const std::vector<size_t>& columns, size_t threads,
                  size_t chunk_size) {
  TempFile file(text);
  const Counted plain = counted(file.path(), columns, threads, chunk_size, 0);
  EXPECT_TRUE(plain.counts.order.parts.empty());
  for (const size_t most : {1, 50, 1000, 1 << 20}) {
    const Counted with = counted(file.path(), columns, threads, chunk_size, most);
    EXPECT_EQ(log_of(with.counts), log_of(plain.counts));
    EXPECT_EQ(with.rows, plain.rows) << most << " bytes, " << threads << " threads, chunks of " << chunk_size;
    EXPECT_TRUE(with.counts.order.whole || most < 1 << 20 || columns.size() > RowCache::kMostFields);
  }
}

std::string rows_of_three(size_t count) {
  std::string text;
  for (size_t k = 0; k < count; ++k)
    text += std::to_string(k * k % 13) + "," + std::string(k * 31 % 19, 'x') + "," + std::to_string(k % 997) +
            "\n";
  return text;
}

TEST(RowOrder, WithWhatIsBehindItIsEveryRowInItsOrder) {
  const std::string quoted = "\"x\ny\",\"\"\"\",3\n";
  for (const std::string& text : {"a,b,c\n" + rows_of_three(1500),
                                  "\xEF\xBB\xBF"
                                  "a,b,c\n" +
                                      rows_of_three(40) + quoted + rows_of_three(700) + "last,1,2",
                                  std::string("a,b,c\n")}) {
    for (const std::vector<size_t>& columns : {std::vector<size_t>{0, 1}, {2}, {0, 1, 2}, {0, 1, 2, 0}}) {
      for (const size_t threads : {1, 2, 7}) {
        for (const size_t chunk_size : {16, 1000, 1 << 20}) expect_order(text, columns, threads, chunk_size);
      }
    }
  }
}

// More distinct rows than there are numbers: the rest is counted, and its order is not remembered.
TEST(RowOrder, EndsWhereThereAreNoMoreNumbers) {
  std::string text = "a,b\n";
  for (size_t k = 0; k < RowOrder::kMostNumbers + 5000; ++k) text += std::to_string(k) + ",1\n";
  TempFile file(text);
  const Counted with = counted(file.path(), {0, 1}, 1, 4096, 1 << 20);
  EXPECT_EQ(with.counts.rows.size(), RowOrder::kMostNumbers + 5000);
  EXPECT_FALSE(with.counts.order.whole);
  EXPECT_GT(with.counts.order.parts.size(), 100U);
  EXPECT_EQ(with.rows, counted(file.path(), {0, 1}, 1, 4096, 0).rows);
}

RC_GTEST_PROP(RowOrderProperty, IsThatOfTheTable, ()) {
  const std::string text = random_table().text;
  RC_PRE(text.find_first_not_of(" \t\r\n") != std::string::npos);
  TempFile file(text);
  const auto threads = *rc::gen::element<size_t>(1, 2, 7);
  const auto chunk_size = *rc::gen::inRange<size_t>(1, 64);
  const auto most = *rc::gen::inRange<size_t>(0, 64);
  try {
    const Counted plain = counted(file.path(), {0, 0}, threads, chunk_size, 0);
    const Counted with = counted(file.path(), {0, 0}, threads, chunk_size, most);
    RC_ASSERT(with.rows == plain.rows);
    RC_ASSERT(log_of(with.counts) == log_of(plain.counts));
  } catch (const Error& error) {
    RC_DISCARD(error.message());
  }
}

}  // namespace
}  // namespace fugu
