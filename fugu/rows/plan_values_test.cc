// The values that a plan speaks of: of all people, of a group, of several columns together.
#include "fugu/rows/plan_values.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <set>

#include "tests/support/random_scenario.h"

namespace fugu {
namespace {

Distribution on(const std::vector<int64_t>& atoms) {
  return Distribution::from_counts(atoms, std::vector<uint64_t>(atoms.size(), 30));
}

Scenario values_scenario(std::vector<Prior> priors) {
  Scenario scenario{testing::epsilon_of("1")};
  scenario.secrets = {"A", "B"};
  scenario.priors = std::move(priors);
  scenario.source = Source{};
  return scenario;
}

RC_GTEST_PROP(Runs, HoldTheirNumbersAndNoOther, (const std::set<int8_t>& numbers)) {
  const Runs runs = runs_of({numbers.begin(), numbers.end()});
  const std::set<int> there(numbers.begin(), numbers.end());
  for (int number = -130; number <= 130; ++number)
    RC_ASSERT(is_among(runs, number) == there.contains(number));
  for (size_t k = 1; k < runs.size(); ++k) RC_ASSERT(runs[k - 1].second + 1 < runs[k].first);
}

TEST(PlanValues, AreThoseOfEveryPriorAndSecret) {
  const PlanValues values(
      values_scenario({{"empirical", {on({0, 1}), on({0, 10})}}, {"a file's", {on({4}), on({4})}}}));
  EXPECT_EQ(values.all(), (Runs{{0, 1}, {4, 4}, {10, 10}}));
  for (int64_t value : {0, 4, 10}) EXPECT_TRUE(values.has("", value)) << value;
  for (int64_t value : {-1, 5, 11}) EXPECT_FALSE(values.has("", value)) << value;
}

TEST(PlanValues, OfAGroupAreItsPriorsAndThoseOfFiles) {
  Scenario scenario = values_scenario({{"empirical", {on({0, 1, 2, 3}), on({0, 1, 2, 3})}},
                                       {"city = Bonn", {on({0, 1}), on({1})}},
                                       {kOtherGroups, {on({2}), on({3})}},
                                       {"a file's", {on({9}), on({9})}}});
  scenario.source->given = {"city"};
  scenario.source->merged = {"city = Kiel"};
  mark_groups(scenario);
  const PlanValues values(scenario);
  const std::map<std::string, std::set<int64_t>> expected{{"city = Bonn", {0, 1, 9}},
                                                          {"city = Kiel", {2, 3, 9}},
                                                          {"city = Ulm", {0, 1, 2, 3, 9}},
                                                          {"", {0, 1, 2, 3, 9}}};
  for (const auto& [group, known] : expected) {
    for (int64_t value = -1; value < 11; ++value)
      EXPECT_EQ(values.has(group, value), known.contains(value)) << group << value;
  }
}

TEST(PlanValues, OfSeveralColumnsAreJoint) {
  Scenario scenario = values_scenario({{"empirical", {on({0, 1}), on({1, 2})}}});
  scenario.axes = {Axis{}, Axis{}};
  scenario.points = {{0, 0}, {0, 2}, {1, 1}};
  const PlanValues values(scenario);
  EXPECT_TRUE(values.has("", Point{0, 2}));
  EXPECT_FALSE(values.has("", Point{1, 0}));
  EXPECT_FALSE(values.has("", Point{2, 2}));
}

// The nearest differs in the fewest columns, of numbers by the part of the range.
TEST(PlanValues, NearestOfSeveralColumnsIsOneThatThePlanKnows) {
  Scenario scenario = values_scenario({{"empirical", {on({0, 1}), on({1, 2})}}});
  scenario.axes = {Axis{}, Axis{}, Axis{}};
  scenario.points = {{0, 0, 7}, {0, 10, 7}, {4, 10, 7}};
  const PlanValues values(scenario);
  EXPECT_EQ(values.nearest("", {0, 1, 7}), (Point{0, 0, 7}));
  EXPECT_EQ(values.nearest("", {0, 9, 7}), (Point{0, 10, 7}));
  EXPECT_EQ(values.nearest("", {3, 9, 8}), (Point{4, 10, 7}));
  EXPECT_EQ(values.nearest("", {4, 10, 7}), (Point{4, 10, 7}));
}

// With a confidence no category is impossible.
TEST(PlanValues, OfAConfidenceAreItsDomain) {
  Scenario scenario = values_scenario({{"empirical", {on({1}), on({2})}}});
  scenario.source->columns[0].labels = {"u", "v", "w"};
  EXPECT_FALSE(PlanValues(scenario).has("", 3));
  scenario.confidence = Rational(9, 10);
  EXPECT_TRUE(PlanValues(scenario).has("", 3));
}

}  // namespace
}  // namespace fugu
