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

std::string shuffled(const std::vector<std::vector<std::string>>& parts) {
  ShuffledRows rows;
  for (const auto& part : parts) {
    std::string text;
    std::vector<uint32_t> ends;
    for (const std::string& row : part) {
      text += row;
      ends.push_back(static_cast<uint32_t>(text.size()));
    }
    rows.add(text, ends);
  }
  TextSink sink;
  rows.write(sink);
  return sink.text;
}

// Six orders of three rows, of two parts, with quotes that open nothing and a line end within quotes. Of 6000
// draws each order comes 1000 times but for 29 on average: eight of these are a false alarm below 1e-14.
TEST(ShuffledRows, EveryOrderIsEquallyLikelyWhateverTheRowsHold) {
  std::map<std::string, int> seen;
  for (int k = 0; k < 6000; ++k) ++seen[shuffled({{"5\" pipe\n", "\"two\nlines\"\n"}, {"a\"\n"}})];
  EXPECT_EQ(seen.size(), 6u);
  for (const auto& [text, times] : seen) EXPECT_NEAR(times, 1000, 232) << text;
}

TEST(ShuffledRows, NoRowsAreNoText) { EXPECT_EQ(shuffled({{}, {}}), ""); }

TEST(ShuffledRows, TextBehindTheLastEndIsAFaultOfTheProgram) {
  ShuffledRows rows;
  EXPECT_THROW(rows.add("a\nb\n", {2}), Error);
}

}  // namespace
}  // namespace fugu
