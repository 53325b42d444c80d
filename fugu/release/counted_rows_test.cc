#include "fugu/release/counted_rows.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>

#include "fugu/csv/chunk_scan.h"
#include "fugu/csv/chunks.h"

namespace fugu {
namespace {

Tally tally_of(const std::map<std::string, uint64_t>& rows) {
  Tally tally;
  for (const auto& [key, count] : rows) tally.add(key, tally.size() + 1, count);
  return tally;
}

// So many bytes at a time.
std::string text_of(CountedRows& rows, size_t bytes) {
  std::string text, part(bytes, '\0');
  while (const size_t count = rows.read(part.data(), bytes)) text.append(part, 0, count);
  return text;
}

// The twelve orders of four rows, two of which are equal. Of 6000 draws each comes 500 times but for 22 on
// average: eight of these are a false alarm below 1e-14.
TEST(CountedRows, EveryOrderIsEquallyLikely) {
  const Tally rows = tally_of({{"a", 2}, {"b", 1}, {"c", 1}});
  std::map<std::string, int> seen;
  for (int k = 0; k < 6000; ++k) ++seen[text_of(*CountedRows::in_random_order(rows, ','), 100)];
  EXPECT_EQ(seen.size(), 12u);
  for (const auto& [text, times] : seen) EXPECT_NEAR(times, 500, 8 * 22) << text;
}

// A million rows are in four heaps and more, which are in no order of their own. The mean place of the first
// tenth is uniform, so that it is in the middle but for 870; eight of these are a false alarm below 1e-14.
TEST(CountedRows, RowsOfSeveralHeapsAreAllThereAndAnywhere) {
  const Tally rows = tally_of({{"a", 100'000}, {"b", 899'999}, {"c", 1}});
  const std::string text = text_of(*CountedRows::in_random_order(rows, ','), 777);
  ASSERT_EQ(text.size(), 2'000'000u);
  std::map<char, int> seen;
  double places = 0;
  for (size_t row = 0; row < text.size() / 2; ++row) {
    ASSERT_EQ(text[2 * row + 1], '\n');
    ++seen[text[2 * row]];
    if (text[2 * row] == 'a') places += static_cast<double>(row);
  }
  EXPECT_EQ(seen, (std::map<char, int>{{'a', 100'000}, {'b', 899'999}, {'c', 1}}));
  EXPECT_NEAR(places / 100'000, 500'000, 8 * 870);
}

// Whatever the texts hold, they are read as they were counted.
RC_GTEST_PROP(CountedRowsProperty, AreRecordsOfTheirTexts, ()) {
  const auto text =
      rc::gen::element<std::string>("a", " a", "b,", "\"", "1.0", "é", "", "x\ny", "\\.", "\t", "\r");
  std::map<std::string, uint64_t> counts;
  for (const auto& [one, other] : *rc::gen::resize(
           20,
           rc::gen::container<std::vector<std::pair<std::string, std::string>>>(rc::gen::pair(text, text))))
    ++counts[one + '\0' + other];
  TableHead head;
  head.columns = 2;
  ChunkReader reader(CountedRows::in_random_order(tally_of(counts), ','), head);
  ChunkScanner scanner(reader.layout({0, 1}));
  std::map<std::string, uint64_t> seen;
  for (Chunk chunk; reader.next(chunk);) {
    scanner.scan(chunk, 1, [&](const Field* fields, uint64_t, std::string_view) {
      ++seen[std::string(fields[0].text) + '\0' + std::string(fields[1].text)];
    });
  }
  RC_ASSERT(seen == counts);
}

TEST(CountedRows, TooManyDistinctRowsAreNone) {
  Tally rows;
  for (int k = 0; k < 70'000; ++k) rows.add(std::to_string(k), 1, 1);
  EXPECT_TRUE(CountedRows::in_random_order(rows, ','));
  rows.add("many", 1, uint64_t{1} << 30);
  EXPECT_FALSE(CountedRows::in_random_order(rows, ','));
  EXPECT_EQ(text_of(*CountedRows::in_random_order({}, ','), 9), "");
}

}  // namespace
}  // namespace fugu
