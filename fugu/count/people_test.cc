#include "fugu/count/people.h"

#include <gtest/gtest.h>

#include <string>

#include "fugu/count/column_kind.h"

namespace fugu {
namespace {

TEST(RepeatsPeople, AsksForANameAndForValuesThatComeAgain) {
  EXPECT_TRUE(repeats_people("patient_nbr", {71518, 101766}));
  EXPECT_FALSE(repeats_people("patient_nbr", {101766, 101766}));  // nobody comes twice
  EXPECT_FALSE(repeats_people("age", {71518, 101766}));
  EXPECT_FALSE(repeats_people("number_inpatient", {21, 101766}));  // no person's: too few values
  EXPECT_TRUE(repeats_people("id", {2, 39}));
  EXPECT_FALSE(repeats_people("id", {2, 40}));
}

TEST(RepeatCounter, CountsInPartsAsInOne) {
  RepeatCounter one, first, second;
  for (int k = 0; k < 5000; ++k) {
    const std::string text = std::to_string(k % 1700);
    one.add(text);
    (k % 3 == 0 ? first : second).add(text);
  }
  first.add(second);
  EXPECT_EQ(one.seen().values, 1700u);
  EXPECT_EQ(one.seen().rows, 5000u);
  EXPECT_EQ(first.seen().values, 1700u);
  EXPECT_EQ(first.seen().rows, 5000u);
}

// Of more values than it holds it keeps a sample: whether people come again is seen all the same.
TEST(RepeatCounter, SeesInASampleWhetherValuesComeAgain) {
  RepeatCounter once, twice;
  constexpr int kValues = 3'000'000;
  for (int k = 0; k < kValues; ++k) {
    once.add(std::to_string(k));
    twice.add(std::to_string(k), k % 10 == 0 ? 2 : 1);
  }
  EXPECT_EQ(once.seen().values, once.seen().rows);
  EXPECT_NEAR(static_cast<double>(once.seen().values), kValues, 0.01 * kValues);
  EXPECT_TRUE(repeats_people("id", twice.seen()));
  EXPECT_FALSE(repeats_people("id", once.seen()));
}

TEST(WatchedColumns, AreThoseThatMayNamePeopleAndAreNotUsed) {
  TableHead head;
  head.header = {"patient_nbr", "race", "user id", "age"};
  head.columns = 4;
  EXPECT_EQ(watched_columns(head, {1, 3}, {}).columns, (std::vector<size_t>{0, 2}));
  EXPECT_EQ(watched_columns(head, {1, 0}, {}).columns, (std::vector<size_t>{2}));
}

}  // namespace
}  // namespace fugu
