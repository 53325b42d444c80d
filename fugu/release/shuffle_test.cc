#include "fugu/release/shuffle.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "fugu/core/error.h"

namespace fugu {
namespace {

struct TextSink : ByteSink {
  void write(std::string_view bytes) override { text += bytes; }
  void finish() override {}
  std::string text;
};

std::string shuffled(const std::vector<std::vector<std::string>>& parts, size_t held) {
  SecureRandom random;
  ShuffledRows rows(held);
  for (const auto& part : parts) {
    std::string text;
    std::vector<uint32_t> ends;
    for (const std::string& row : part) {
      text += row;
      ends.push_back(static_cast<uint32_t>(text.size()));
    }
    rows.add(scatter(random, text, ends));
  }
  TextSink sink;
  rows.write(sink);
  return sink.text;
}

// The same alarm as below.
TEST(RandomOrder, EveryOrderIsEquallyLikely) {
  std::map<std::vector<int64_t>, int> seen;
  for (int k = 0; k < 6000; ++k) ++seen[random_order(3)];
  EXPECT_EQ(seen.size(), 6u);
  for (const auto& [order, count] : seen) {
    EXPECT_TRUE(std::is_permutation(order.begin(), order.end(), std::vector<int64_t>{0, 1, 2}.begin()));
    EXPECT_NEAR(count, 1000, 8 * 29);
  }
  EXPECT_TRUE(random_order(0).empty());
}

// Six orders of three rows, of two parts, with quotes that open nothing and a line end within quotes. Of 6000
// draws each order comes 1000 times but for 29 on average: eight of these are a false alarm below 1e-14.
TEST(ShuffledRows, EveryOrderIsEquallyLikelyWhateverTheRowsHold) {
  std::map<std::string, int> seen;
  for (int k = 0; k < 2400; ++k) ++seen[shuffled({{"5\" pipe\n", "\"two\nlines\"\n"}, {"a\"\n"}}, 1000)];
  EXPECT_EQ(seen.size(), 6u);
  for (const auto& [text, times] : seen) EXPECT_NEAR(times, 400, 146) << text;
}

// 40,000 rows are in heaps of 156, which are in no order of their own. Where the first thousand go: each
// row's place is uniform, so that their mean place is 20,000 but for 360; eight of these are a false alarm
// below 1e-14.
TEST(ShuffledRows, RowsThatWaitInFilesAreAllThereAndAnywhere) {
  std::vector<std::vector<std::string>> parts(40);
  std::vector<std::string> all;
  for (int k = 0; k < 40000; ++k) {
    all.push_back(std::to_string(k) + "\n");
    parts[static_cast<size_t>(k) / 1000].push_back(all.back());
  }
  for (size_t held : {size_t{1} << 30, size_t{100000}, size_t{0}}) {
    const std::string text = shuffled(parts, held);
    std::vector<std::string> rows;
    double places = 0;
    for (size_t at = 0; at < text.size();) {
      const size_t end = text.find('\n', at) + 1;
      rows.push_back(text.substr(at, end - at));
      if (std::stoi(rows.back()) < 1000) places += static_cast<double>(rows.size());
      at = end;
    }
    EXPECT_NEAR(places / 1000, 20000, 8 * 366);
    EXPECT_FALSE(std::is_sorted(rows.begin(), rows.end()));
    std::sort(rows.begin(), rows.end());
    std::vector<std::string> expected = all;
    std::sort(expected.begin(), expected.end());
    EXPECT_EQ(rows, expected);
  }
}

TEST(ShuffledRows, NoRowsAreNoText) { EXPECT_EQ(shuffled({{}, {}}, 1000), ""); }

TEST(ShuffledRows, TextBehindTheLastEndIsAFaultOfTheProgram) {
  SecureRandom random;
  EXPECT_THROW(scatter(random, "a\nb\n", {2}), Error);
}

}  // namespace
}  // namespace fugu
