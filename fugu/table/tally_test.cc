#include "fugu/table/tally.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <string>

namespace fugu {
namespace {

TEST(Tally, CountsAndRemembersTheFirstLine) {
  Tally tally;
  EXPECT_EQ(tally.add("b", 2), 0U);
  EXPECT_EQ(tally.add("", 3), 1U);
  EXPECT_EQ(tally.add("b", 4), 0U);
  EXPECT_EQ(tally.add("a", 5, 10), 2U);
  EXPECT_EQ(tally[0].key, "b");
  EXPECT_EQ(tally[0].count, 2U);
  EXPECT_EQ(tally[0].line, 2U);
  EXPECT_EQ(tally[1].key, "");
  EXPECT_EQ(tally[2].count, 10U);
}

TEST(Tally, KeysOfAllLengthsStayWhereTheyAre) {
  Tally tally;
  for (int round = 0; round < 2; ++round) {
    for (size_t length = 0; length < 3000; ++length) {
      EXPECT_EQ(tally.add(std::string(length, 'x'), length), length);
    }
  }
  EXPECT_EQ(tally.add(std::string(1 << 20, 'y'), 7), 3000U);
  for (size_t length = 0; length < 3000; ++length) {
    EXPECT_EQ(tally[length].key, std::string(length, 'x'));
    EXPECT_EQ(tally[length].count, 2U);
  }
}

RC_GTEST_PROP(Tally, EqualsAMap, ()) {
  auto keys = *rc::gen::container<std::vector<std::string>>(
      rc::gen::container<std::string>(rc::gen::element('a', 'b', '\0')));
  Tally tally;
  std::map<std::string, uint64_t> counts;
  for (const std::string& key : keys) {
    tally.add(key, 0);
    ++counts[key];
  }
  std::map<std::string, uint64_t> found;
  for (const Tally::Entry& entry : tally.entries()) found[std::string(entry.key)] = entry.count;
  RC_ASSERT(found == counts);
  RC_ASSERT(tally.size() == counts.size());
}

}  // namespace
}  // namespace fugu
