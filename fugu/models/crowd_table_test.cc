#include "fugu/models/crowd_table.h"

#include <gtest/gtest.h>

#include "fugu/core/error.h"

namespace fugu {
namespace {

TEST(CrowdTable, LettersThatNoPlanCouldHoldAreRefused) {
  const UserTable table{{}, {{Rational(1, 4)}}, {1}};
  EXPECT_EQ(beliefs_of(table, {"no", "s\xc3\xad"}, "--p").letters.back(), "s\xc3\xad");
  try {
    beliefs_of(table, {"no", "y\x95"}, "--p");
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    EXPECT_EQ(error.message(), "--letters: a letter is not UTF-8");
  }
}

TEST(CrowdTable, TheSumOverCopiesIsBoundedToo) {
  const UserBeliefs beliefs{{"no", "yes"}, {{Rational(1, 4), Rational(3, 4)}}};
  const std::vector<std::vector<Rational>> values{{Rational(1), Rational(100'000'001, 100'000'000)}};
  EXPECT_EQ(make_crowd(beliefs, values, CrowdPairs::kBoth, 5000).size(), 5000u);
  EXPECT_THROW(make_crowd(beliefs, values, CrowdPairs::kBoth, 10'000'000), Error);
}

}  // namespace
}  // namespace fugu
