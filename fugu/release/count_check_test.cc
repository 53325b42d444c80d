// A plan is held against the table's counts: as a whole, and group by group.
#include "fugu/release/count_check.h"

#include <gtest/gtest.h>

#include "tests/support/random_scenario.h"

namespace fugu {
namespace {

using Masses = std::vector<uint64_t>;

Prior prior_of(const std::string& name, const Masses& a, const Masses& b) {
  return {name, {Distribution::from_counts({0, 1}, a), Distribution::from_counts({0, 1}, b)}};
}

// City Bonn tells the secrets apart, Kiel does not.
const Masses kBonnA{90, 10}, kBonnB{10, 90}, kKiel{55, 50};

Scenario scenario_of(const std::vector<Prior>& priors) {
  Scenario scenario{testing::epsilon_of("1")};
  scenario.secrets = {"A", "B"};
  scenario.priors = priors;
  scenario.source = Source{};
  scenario.source->given = {"city"};
  scenario.source->min_group = 20;
  mark_groups(scenario);
  return scenario;
}

CellCounts table() {
  CellCounts counts;
  auto add = [&](const std::string& city, const std::string& secret, const Masses& masses) {
    int64_t value = 0;
    for (uint64_t mass : masses) counts[{city, secret, value++}] = mass;
  };
  add("city = Bonn", "A", kBonnA);
  add("city = Bonn", "B", kBonnB);
  add("city = Kiel", "A", kKiel);
  add("city = Kiel", "B", kKiel);
  return counts;
}

const Prior kWhole = prior_of(kWholeTable, {145, 60}, {65, 140}),
            kBonn = prior_of("city = Bonn", kBonnA, kBonnB), kOther = prior_of("city = Kiel", kKiel, kKiel);

TEST(CountCheck, EveryGroupHasItsPrior) {
  EXPECT_TRUE(are_counts_of(scenario_of({kWhole, kBonn, kOther}), table()));
  EXPECT_TRUE(
      are_counts_of(scenario_of({kWhole, kBonn, prior_of("rumour", {1, 1}, {1, 2}), kOther}), table()));
  EXPECT_FALSE(are_counts_of(scenario_of({kWhole, kOther}), table()));
  EXPECT_FALSE(are_counts_of(scenario_of({kWhole, kBonn, kOther, kOther}), table()));
  EXPECT_FALSE(
      are_counts_of(scenario_of({kWhole, kBonn, kOther, prior_of("city = Ulm", {1, 1}, {1, 1})}), table()));
  EXPECT_FALSE(are_counts_of(scenario_of({kBonn, kBonn, kOther}), table()));
}

// A first prior with a group's name was held against the table and the group together, so that the group
// needed none of its own; what it lacked was made up by groups that the table does not have.
TEST(CountCheck, AGroupDoesNotHideBehindTheTable) {
  const Prior both = prior_of("city = Bonn", {235, 70}, {75, 230});
  EXPECT_FALSE(are_counts_of(scenario_of({both, kOther}), table()));
  EXPECT_FALSE(are_counts_of(scenario_of({both, kOther, prior_of("city = y", {180, 0}, {20, 0})}), table()));
}

TEST(CountCheck, OnlySmallGroupsAreMergedOrLeftOut) {
  const Prior others = prior_of(kOtherGroups, {145, 60}, {65, 140});
  Scenario merged = scenario_of({kWhole, others});
  merged.source->merged = {"city = Bonn", "city = Kiel"};
  EXPECT_FALSE(are_counts_of(merged, table()));
  merged.source->min_group = 106;
  EXPECT_TRUE(are_counts_of(merged, table()));

  Scenario left_out = scenario_of({kWhole, kOther});
  left_out.source->left_out = {"city = Bonn"};
  EXPECT_FALSE(are_counts_of(left_out, table()));
  left_out.source->min_group = 101;
  EXPECT_TRUE(are_counts_of(left_out, table()));
  left_out.source->left_out = {"city = Bonn", "city = Ulm"};
  EXPECT_FALSE(are_counts_of(left_out, table()));
}

// Masses are sums of weights, and people are rows: a heavy weight makes no group of one large.
TEST(CountCheck, AGroupHasAsManyPeopleAsThePlanSays) {
  Scenario scenario =
      scenario_of({prior_of(kWholeTable, {90, 0}, {90, 0}), prior_of("city = Bonn", {60, 0}, {60, 0}),
                   prior_of("city = Kiel", {30, 0}, {30, 0})});
  scenario.source->weight = {"w", Rational(1), {{{0, 42}}}};
  CellCounts counts;
  CellMasses masses;
  for (const char* secret : {"A", "B"}) {
    counts[{"city = Bonn", secret, 0}] = 20;
    masses[{"city = Bonn", secret, 0}] = 60;
    counts[{"city = Kiel", secret, 0}] = 1;
    masses[{"city = Kiel", secret, 0}] = 30;
  }
  EXPECT_FALSE(are_counts_of(scenario, counts, masses));
  scenario.source->min_group = 1;
  EXPECT_TRUE(are_counts_of(scenario, counts, masses));
}

}  // namespace
}  // namespace fugu
