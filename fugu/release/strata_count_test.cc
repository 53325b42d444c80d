// Where columns are known, a plan is held against the table's counts stratum by stratum.
#include <gtest/gtest.h>

#include "fugu/release/count_check.h"
#include "tests/support/random_scenario.h"

namespace fugu {
namespace {

Prior stratum_counts(const std::string& name, const std::string& known, const std::vector<uint64_t>& a,
                     const std::vector<uint64_t>& b) {
  return {.name = name,
          .by_secret = {Distribution::from_counts({0, 1}, a), Distribution::from_counts({0, 1}, b)},
          .known = {known}};
}

Scenario counted_strata() {
  Scenario scenario{testing::epsilon_of("1")};
  scenario.secrets = {"A", "B"};
  scenario.priors = {stratum_counts("city = Bonn", "Bonn", {90, 10}, {10, 90}),
                     stratum_counts("city = Kiel", "Kiel", {50, 50}, {50, 50}),
                     stratum_counts("city = Kiel, rumour", "Kiel", {1, 1}, {1, 2})};
  scenario.source = Source{};
  scenario.source->known = {"city"};
  scenario.source->min_group = 20;
  return scenario;
}

CellCounts counted_cities() {
  CellCounts counts;
  auto add = [&](const std::string& city, const std::string& secret, uint64_t first, uint64_t second) {
    counts[{city, secret, 0}] = first;
    counts[{city, secret, 1}] = second;
  };
  add("city = Bonn", "A", 90, 10);
  add("city = Bonn", "B", 10, 90);
  add("city = Kiel", "A", 50, 50);
  add("city = Kiel", "B", 50, 50);
  return counts;
}

TEST(StrataCounts, AreThoseOfThePriors) {
  EXPECT_TRUE(are_counts_of(counted_strata(), counted_cities()));
  CellCounts other = counted_cities();
  ++other[{"city = Kiel", "B", 0}];
  EXPECT_FALSE(are_counts_of(counted_strata(), other));
  CellCounts more = counted_cities();
  more[{"city = Ulm", "A", 0}] = 1;
  EXPECT_FALSE(are_counts_of(counted_strata(), more));
  Scenario swapped = counted_strata();
  std::swap(swapped.priors[0].by_secret, swapped.priors[1].by_secret);
  EXPECT_FALSE(are_counts_of(swapped, counted_cities()));
}

TEST(StrataCounts, ThoseThatAreLeftOutAreSmallTogether) {
  Scenario scenario = counted_strata();
  scenario.source->left_out = {"city = Ulm"};
  CellCounts counts = counted_cities();
  EXPECT_FALSE(are_counts_of(scenario, counts));
  counts[{"city = Ulm", "A", -1}] = 30;  // whose values nobody looks at
  counts[{"city = Ulm", "B", -1}] = 19;
  EXPECT_TRUE(are_counts_of(scenario, counts));
  counts[{"city = Ulm", "B", -1}] = 20;
  EXPECT_FALSE(are_counts_of(scenario, counts));
}

TEST(StrataCounts, ThoseThatAreMergedAddUp) {
  Scenario scenario = counted_strata();
  scenario.source->merged = {"city = Ulm", "city = Jena"};
  scenario.priors.push_back(stratum_counts(kOtherGroups, kOtherGroups, {20, 1}, {1, 20}));
  CellCounts counts = counted_cities();
  counts[{"city = Ulm", "A", 0}] = 20;
  counts[{"city = Ulm", "B", 0}] = 1;
  counts[{"city = Jena", "A", 1}] = 1;
  counts[{"city = Jena", "B", 1}] = 20;
  EXPECT_TRUE(are_counts_of(scenario, counts));
  ++counts[{"city = Jena", "A", 1}];
  EXPECT_FALSE(are_counts_of(scenario, counts));
}

}  // namespace
}  // namespace fugu
