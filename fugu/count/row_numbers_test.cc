#include "fugu/count/row_numbers.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/support/expect_error.h"

namespace fugu {
namespace {

using Numbers = std::vector<uint64_t>;

TEST(RowNumbers, TooFewPeopleHaveTheNextLowerNumber) {
  const NumbersOfRows found = numbers_of_rows(
      {{1, {{"a", 9}, {"b", 9}}}, {2, {{"a", 5}, {"b", 4}}}, {3, {{"a", 4}, {"b", 2}}}, {4, {{"a", 1}}}}, 5);
  EXPECT_EQ(found.released, (Numbers{1, 2}));  // with those of three rows 10 and 6 have two
  EXPECT_EQ(found.lowered, (Numbers{3, 4}));
  EXPECT_EQ(found.left_out, Numbers{});
}

TEST(RowNumbers, WhoHasFewerRowsThanAnyIsLeftOut) {
  const NumbersOfRows found = numbers_of_rows({{1, {{"a", 1}}}, {2, {{"a", 5}, {"b", 5}}}}, 5);
  EXPECT_EQ(found.released, Numbers{2});
  EXPECT_EQ(found.left_out, Numbers{1});
}

TEST(RowNumbers, ANumberThatNobodyHasTakesThoseFromAbove) {
  const NumbersOfRows found =
      numbers_of_rows({{2, {{"a", 4}, {"b", 4}}}, {4, {{"a", 3}}}, {5, {{"b", 3}}}}, 3);
  EXPECT_EQ(found.released, (Numbers{2, 4}));  // with the three people of five rows, of secret b
  EXPECT_EQ(found.lowered, Numbers{5});
}

TEST(RowNumbers, OneRowAloneIsNoAnswer) {
  for (uint64_t least : {uint64_t{5}, uint64_t{20}}) {
    try {
      numbers_of_rows({{1, {{"a", 9}, {"b", 9}}}, {2, {{"a", 2}, {"b", 1}}}}, least);
      FAIL();
    } catch (const Error& error) {
      testing::expect_error(
          error, ErrorKind::kUsage,
          fmt::format("--rows-per-person: for no number of rows above 1 are there {} or more people "
                      "with each of the 2 secrets",
                      least),
          "leave it out, and fugu takes one row per person; or lower --min-group");
    }
  }
}

}  // namespace
}  // namespace fugu
