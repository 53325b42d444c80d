// What a plan says of its groups is held against its priors.
#include <gtest/gtest.h>

#include "tests/support/random_scenario.h"
#include "tests/support/verdict.h"

namespace fugu {
namespace {

Prior prior_of(const std::string& name, const std::vector<uint64_t>& a, const std::vector<uint64_t>& b) {
  return {name, {Distribution::from_counts({1, 2}, a), Distribution::from_counts({1, 2}, b)}};
}

// A table of two secrets, and its people by city.
Scenario by_city(const std::vector<Prior>& groups) {
  Scenario scenario{testing::epsilon_of("1")};
  scenario.secrets = {"A", "B"};
  scenario.priors = {prior_of(kWholeTable, {5, 4}, {6, 7})};
  scenario.priors.insert(scenario.priors.end(), groups.begin(), groups.end());
  scenario.source = Source{};
  scenario.source->given = {"city"};
  scenario.source->min_group = 3;
  return scenario;
}

const Prior kBonn = prior_of("city = Bonn", {3, 1}, {2, 5}), kKiel = prior_of("city = Kiel", {2, 3}, {4, 2}),
            kOthers = prior_of(kOtherGroups, {2, 3}, {4, 2});

std::string verdict(Scenario scenario) {
  mark_groups(scenario);
  return testing::verdict_on(scenario);
}

constexpr const char* kSum = "the groups do not add up to the table";
constexpr const char* kOthersDiffer = "the groups are not those that the plan speaks of";

TEST(Groups, AreAcceptedWhereTheyAddUp) {
  EXPECT_EQ(verdict(by_city({kBonn, kKiel})), "accepted");
  // A prior from a file is no group.
  EXPECT_EQ(verdict(by_city({kBonn, prior_of("rumour", {1, 1}, {1, 1}), kKiel})), "accepted");
  Scenario nameless =
      by_city({prior_of("column 2 = Bonn", {3, 1}, {2, 5}), prior_of("column 2 = Kiel", {2, 3}, {4, 2})});
  nameless.source->given = {"2"};
  nameless.source->header = false;
  EXPECT_EQ(verdict(nameless), "accepted");
  nameless.source->header = true;
  EXPECT_EQ(verdict(nameless), kOthersDiffer);
}

TEST(Groups, AreRefusedWhereTheyDoNot) {
  EXPECT_EQ(verdict(by_city({kBonn})), kSum);
  EXPECT_EQ(verdict(by_city({kBonn, kKiel, kKiel})), kSum);
  EXPECT_EQ(verdict(by_city({kBonn, prior_of("city = Kiel", {2, 3}, {4, 1})})), kSum);
  EXPECT_EQ(verdict(by_city({})), kOthersDiffer);
}

// Else the table and a group would be held against each other's counts.
TEST(Groups, TheFirstPriorIsNone) {
  Scenario scenario = by_city({kBonn, kKiel});
  for (const char* name : {"city = Bonn", "city = ", kOtherGroups}) {
    scenario.priors.front().name = name;
    EXPECT_EQ(verdict(scenario), "the first prior is not the whole table") << name;
  }
  scenario.priors.front().name = "city";
  EXPECT_EQ(verdict(scenario), "accepted");
}

TEST(Groups, ThatWereLeftOutMayBeMissingAndNoMore) {
  Scenario scenario = by_city({kBonn});
  scenario.source->left_out = {"city = Kiel"};
  EXPECT_EQ(verdict(scenario), "accepted");
  scenario.priors[1] = prior_of("city = Bonn", {6, 1}, {2, 5});  // more than the table has
  EXPECT_EQ(verdict(scenario), kSum);
  scenario.priors[1] = {"city = Bonn",  // a value that the table has not
                        {Distribution::from_counts({1, 2, 9}, {2, 1, 1}), kBonn.by_secret[1]}};
  EXPECT_EQ(verdict(scenario), kSum);
}

TEST(Groups, ThatWereMergedAreThere) {
  Scenario scenario = by_city({kBonn, kOthers});
  EXPECT_EQ(verdict(scenario), kOthersDiffer);
  scenario.source->merged = {"city = Kiel"};
  EXPECT_EQ(verdict(scenario), "accepted");
  scenario.priors[2] = kKiel;
  EXPECT_EQ(verdict(scenario), kOthersDiffer);
  scenario.priors[2] = prior_of(kOtherGroups, {2, 3}, {4, 1});
  EXPECT_EQ(verdict(scenario), kSum);
}

TEST(Groups, HaveAsManyPeopleAsThePlanSays) {
  Scenario scenario = by_city({kBonn, kKiel});
  scenario.source->min_group = 4;  // of Bonn with A
  EXPECT_EQ(verdict(scenario), "accepted");
  scenario.source->min_group = 5;
  EXPECT_EQ(verdict(scenario), "a group has fewer people than the plan says");
}

}  // namespace
}  // namespace fugu
