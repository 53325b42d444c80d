// What a plan says of its strata and further beliefs is held against its priors.
#include <gtest/gtest.h>

#include "fugu/scenario/further_priors.h"
#include "tests/support/random_scenario.h"
#include "tests/support/verdict.h"

namespace fugu {
namespace {

using testing::verdict_on;

Prior stratum_of(const std::string& name, const std::vector<std::string>& known,
                 const std::vector<uint64_t>& a, const std::vector<uint64_t>& b) {
  return {.name = name,
          .by_secret = {Distribution::from_counts({1, 2}, a), Distribution::from_counts({1, 2}, b)},
          .known = known};
}

Scenario within_cities() {
  Scenario scenario{testing::epsilon_of("1")};
  scenario.secrets = {"A", "B"};
  scenario.priors = {stratum_of("city = Bonn", {"Bonn"}, {3, 1}, {2, 5}),
                     stratum_of("city = Kiel", {"Kiel"}, {2, 3}, {4, 2})};
  scenario.source = Source{};
  scenario.source->known = {"city"};
  scenario.source->min_group = 3;
  return scenario;
}

constexpr const char* kNotAGroups = "a prior is not that of a group of the known columns";
constexpr const char* kOtherStrata = "the groups are not those that the plan speaks of";

TEST(Strata, AreAcceptedAsTheyAre) {
  EXPECT_EQ(verdict_on(within_cities()), "accepted");
  Scenario more = within_cities();
  more.priors.push_back(stratum_of("rumour", {"Kiel"}, {1, 1}, {1, 1}));  // of people who are there
  EXPECT_EQ(verdict_on(more), "accepted");
  more.source->left_out = {"city = Ulm"};
  EXPECT_EQ(verdict_on(more), "accepted");
}

TEST(Strata, EachIsThatOfItsTexts) {
  Scenario scenario = within_cities();
  scenario.priors[0].known = {"Köln"};
  EXPECT_EQ(verdict_on(scenario), kNotAGroups);
  scenario.priors[0].known = {};
  EXPECT_EQ(verdict_on(scenario), kNotAGroups);
  scenario.priors[0].known = {"Bonn", "Bonn"};
  EXPECT_EQ(verdict_on(scenario), kNotAGroups);
  scenario = within_cities();
  scenario.priors.push_back(stratum_of(kWholeTable, {}, {5, 4}, {6, 7}));
  EXPECT_EQ(verdict_on(scenario), kNotAGroups);
  scenario = within_cities();
  scenario.source->header = false;
  EXPECT_EQ(verdict_on(scenario), kNotAGroups);
}

TEST(Strata, HaveAsManyPeopleAsThePlanSays) {
  Scenario scenario = within_cities();
  scenario.source->min_group = 4;
  EXPECT_EQ(verdict_on(scenario), "accepted");
  scenario.source->min_group = 5;
  EXPECT_EQ(verdict_on(scenario), "a group has fewer people than the plan says");
}

TEST(Strata, ThatWereMergedAreThere) {
  Scenario scenario = within_cities();
  scenario.source->merged = {"city = Ulm"};
  EXPECT_EQ(verdict_on(scenario), kOtherStrata);
  scenario.priors.push_back(stratum_of(kOtherGroups, {kOtherGroups}, {2, 3}, {4, 2}));
  EXPECT_EQ(verdict_on(scenario), "accepted");
  scenario.source->merged = {};
  EXPECT_EQ(verdict_on(scenario), kOtherStrata);
  scenario.source->merged = {"city = Kiel"};  // which is there by itself
  EXPECT_EQ(verdict_on(scenario), kOtherStrata);
  scenario.source->merged = {"city = Ulm"};
  scenario.source->left_out = {"city = Ulm"};
  EXPECT_EQ(verdict_on(scenario), kOtherStrata);
  scenario.source->left_out = {};
  scenario.priors[2].name = "city = (other)";
  EXPECT_EQ(verdict_on(scenario), kNotAGroups);
}

TEST(Strata, NeedKnownColumns) {
  Scenario scenario = within_cities();
  scenario.source->known = {};
  scenario.source->min_group = 0;
  EXPECT_EQ(verdict_on(scenario), "a prior is of known columns, and the plan names none");
}

TEST(FurtherBeliefs, AreThoseThatThePlanNames) {
  Scenario scenario = within_cities();
  scenario.source->also = {"smoothed:2"};
  EXPECT_EQ(verdict_on(scenario), "a belief beside the table's own is not the one that the plan speaks of");
  for (Prior& prior : further_priors(scenario)) scenario.priors.push_back(std::move(prior));
  EXPECT_EQ(verdict_on(scenario), "accepted");
  scenario.priors.back().by_secret[0] = Distribution::from_counts({1, 2}, {5, 4});
  EXPECT_EQ(verdict_on(scenario), "a belief beside the table's own is not the one that the plan speaks of");
  for (const char* text : {"independent", "smoothed:0", "rumour"}) {
    scenario.source->also = {text};
    EXPECT_EQ(verdict_on(scenario), "the plan names a belief that it cannot have") << text;
  }
}

}  // namespace
}  // namespace fugu
