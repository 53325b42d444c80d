#include "fugu/preview/sample_rows.h"

#include "fugu/core/error.h"
#include "tests/support/expect_error.h"
#include "tests/support/random_scenario.h"
#include "tests/support/temp_file.h"

namespace fugu {
namespace {

// Jobs a and b, shaped from texts in capitals; what is released is always b.
Plan to_b() {
  Plan plan{
      Scenario{testing::epsilon_of("1")}, "channel", Channel{{1, 2}, {2}, {{1}, {1}}}, 0, {}, {}, {}, {}, {}};
  plan.scenario.secrets = {"x", "y"};
  plan.scenario.priors = {
      {kWholeTable, {Distribution::from_counts({1, 2}, {3, 3}), Distribution::from_counts({1, 2}, {2, 4})}}};
  plan.scenario.source = Source{.secret = {"race"}, .published = {"job"}};
  plan.scenario.source->columns.front().labels = {"a", "b"};
  plan.scenario.source->columns.front().map.texts = {{"A", "a"}, {"B", "b"}};
  return plan;
}

TEST(SampleRows, AreTheTablesFirstAsTheyStandThere) {
  const TempFile table("race,other,job\nx,1,A\ny,2,B\nx,3,B\ny,4,Q\n");
  const auto sample = sample_of_table(to_b(), {.input = table.path(), .rows_independent = true}, 3);
  ASSERT_TRUE(sample);
  EXPECT_TRUE(sample->of_table);
  EXPECT_EQ(sample->columns, std::vector<std::string>{"job"});
  EXPECT_EQ(sample->secrets, (std::vector<std::string>{"x", "y", "x"}));
  EXPECT_EQ(sample->before, (std::vector<std::vector<std::string>>{{"A"}, {"B"}, {"B"}}));
  EXPECT_EQ(sample->after, (std::vector<std::vector<std::string>>{{"b"}, {"b"}, {"b"}}));
}

TEST(SampleRows, ARowThatAReleaseRefusesIsRefusedWithItsLine) {
  const TempFile table("race,job\nx,A\ny,#9\n");
  try {
    sample_of_table(to_b(), {.input = table.path(), .rows_independent = true}, 10);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kData);
    EXPECT_NE(error.message().find("line 3"), std::string::npos) << error.message();
    EXPECT_EQ(error.message().find("#9"), std::string::npos) << error.message();
  }
}

TEST(SampleRows, ATableWithoutTheColumnsIsAMistakeOfUse) {
  const TempFile table("race,work\nx,A\n");
  try {
    sample_of_table(to_b(), {.input = table.path(), .rows_independent = true}, 10);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
  }
}

TEST(SampleRows, RowsOfPeopleAreNotTakenFromATable) {
  Plan plan = to_b();
  plan.scenario.source->person = Person{"id", std::string(64, '0'), 1};
  const TempFile table("id,race,job\n1,x,A\n");
  EXPECT_FALSE(sample_of_table(plan, {.input = table.path()}, 3));
  const Preview preview = preview_of(plan, {.sample = 4, .table = ReleaseRequest{.input = table.path()}});
  EXPECT_FALSE(preview.sample.of_table);
  EXPECT_EQ(preview.sample.before.size(), 4U);
  EXPECT_EQ(preview.notes.back(),
            "rows of each person are drawn first: the rows shown are drawn from the plan");
}

TEST(SampleRows, OfAPlanAreRowsThatItCounts) {
  const PreviewSample sample = sample_of_plan(to_b(), 200);
  EXPECT_FALSE(sample.of_table);
  size_t a = 0;
  for (const auto& row : sample.before) a += row.at(0) == "a";
  EXPECT_GT(a, 30U);  // five of twelve, where at most thirty come with a chance of 10^-14
  EXPECT_LT(a, 140U);
  for (const auto& row : sample.after) EXPECT_EQ(row.at(0), "b");
}

// The plan does not say what the known columns of small groups are, and no release writes them.
TEST(SampleRows, WhatIsKnownOfSmallGroupsIsLeftBlank) {
  Plan plan = to_b();
  plan.mechanism = Swap{{{.known = {kOtherGroups}, .points = {1, 2}, .totals = {5, 7}, .flows = {}}}};
  plan.scenario.source->known = {"city"};
  plan.scenario.source->merged = {"city = Ulm"};
  plan.scenario.priors.front().known = {kOtherGroups};
  const PreviewSample sample = sample_of_plan(plan, 5);
  EXPECT_EQ(sample.columns, (std::vector<std::string>{"city", "job"}));
  for (size_t row = 0; row < 5; ++row) {
    EXPECT_EQ(sample.before[row][0], "(small group)");
    EXPECT_EQ(sample.after[row][0], "");
    EXPECT_EQ(sample.before[row][1], sample.after[row][1]);
  }
  const TempFile table("race,city,job\nx,Ulm,A\n");
  const auto first = sample_of_table(plan, {.input = table.path(), .rows_independent = true}, 1);
  EXPECT_EQ(first->before, (std::vector<std::vector<std::string>>{{"Ulm", "A"}}));
  EXPECT_EQ(first->after, (std::vector<std::vector<std::string>>{{"", "a"}}));
  const Preview preview = preview_of(plan, {.draws = 2});
  EXPECT_EQ(preview.columns.at(1).labels, std::vector<std::string>{"(left blank)"});
}

// A number that lies beyond the range before the release is shown as it is, and held within it after.
TEST(SampleRows, OnlyWhatIsReleasedIsHeldWithinTheRange) {
  Plan plan = to_b();
  plan.mechanism = no_noise("laplace");
  plan.scenario.source->columns = {ColumnShape{}};
  plan.scenario.source->clamp = true;
  plan.scenario.source->range_people = 3;
  plan.scenario.priors = {
      {kWholeTable,
       {Distribution::from_counts({1, 2, 900}, {30, 30, 1}), Distribution::from_counts({1, 2}, {2, 4})}}};
  const TempFile table("race,job\nx,900\nx,1\n");
  const auto sample = sample_of_table(plan, {.input = table.path(), .rows_independent = true}, 2);
  EXPECT_EQ(sample->before, (std::vector<std::vector<std::string>>{{"900"}, {"1"}}));
  EXPECT_EQ(sample->after, (std::vector<std::vector<std::string>>{{"2"}, {"1"}}));
}

}  // namespace
}  // namespace fugu
