#include "fugu/preview/statement_preview.h"

#include <cmath>

#include "fugu/core/error.h"
#include "fugu/plan/statement.h"
#include "tests/support/random_scenario.h"

namespace fugu {
namespace {

// Values 1 to 3 of the column x, with these counts.
Plan stated_plan(Mechanism mechanism, std::vector<uint64_t> first, bool labels) {
  Plan plan{Scenario{testing::epsilon_of("1")},
            "exact",
            std::move(mechanism),
            2,
            {},
            {},
            {},
            {"It is assumed."},
            {}};
  plan.scenario.secrets = {"p", "q"};
  plan.scenario.priors = {{kWholeTable,
                           {Distribution::from_counts({1, 2, 3}, std::move(first)),
                            Distribution::from_counts({1, 2, 3}, {300, 200, 100})}}};
  plan.scenario.source = Source{.secret = {"race"}, .published = {"x"}};
  if (labels) plan.scenario.source->columns.front().labels = {"a", "b", "c"};
  plan.unchanged = 0.8;
  return plan;
}

StatementPreview shown(const Plan& plan) {
  return preview_of_statement(statement_to_json({.plan = plan}), "s.json");
}

const Noise kNoise{"laplace", Scale{1}, {Integer(1)}, Dyadic{Integer(1), 1}};
const Channel kChannel{{1, 2, 3}, {1, 2, 3}, {{8, 1, 1}, {1, 8, 1}, {1, 1, 8}}};
// A tenth of the rows of each value, whatever the counts.
Swap swap_of_tenths() {
  return {{{.points = {1, 2, 3}, .totals = {100, 100, 100}, .flows = {{0, 1, 10}, {1, 2, 10}, {2, 0, 10}}}}};
}

TEST(StatementPreview, HoldsNothingOfTheCounts) {
  for (const Mechanism& mechanism : {Mechanism(kNoise), Mechanism(kChannel), Mechanism(swap_of_tenths())}) {
    const std::string one =
        statement_preview_to_json(shown(stated_plan(mechanism, {1117, 2221, 4447}, true))).canonical();
    const std::string other =
        statement_preview_to_json(shown(stated_plan(mechanism, {987, 654, 321}, true))).canonical();
    EXPECT_EQ(one, other);
    EXPECT_NE(one.find("\"private\":false"), std::string::npos);
    for (const char* number : {"1117", "2221", "4447", "\"before\"", "\"guess\"", "\"sample\""})
      EXPECT_EQ(one.find(number), std::string::npos) << number;
  }
}

TEST(StatementPreview, NoiseIsSaidInTheColumnsUnit) {
  Plan plan = stated_plan(kNoise, {100, 200, 300}, false);
  plan.scenario.lattice.step = Rational(1, 2);
  const StatementPreview preview = shown(plan);
  const StatedColumn& column = preview.columns.at(0);
  EXPECT_NEAR(*column.noise, 1, 1e-12);            // 4 steps^2, each of a half
  EXPECT_NEAR(*column.unchanged, 1 / 3.0, 1e-12);  // (1 - 1/2) / (1 + 1/2)
  EXPECT_NEAR(*preview.unchanged, 1 / 3.0, 1e-12);
  // Two deviations of the mean of a thousand draws, and not much more.
  EXPECT_GT(*column.mean_off, 1.9 / std::sqrt(1000));
  EXPECT_LT(*column.mean_off, 2.6 / std::sqrt(1000));
  EXPECT_FALSE(column.share);
}

TEST(StatementPreview, ASharesBoundsHoldTheShare) {
  const Noise little{"laplace", Scale{1}, {Integer(1)}, Dyadic{Integer(1), 4}};
  for (const Mechanism& mechanism : {Mechanism(little), Mechanism(kChannel), Mechanism(swap_of_tenths())}) {
    const StatementPreview preview = shown(stated_plan(mechanism, {100, 200, 300}, true));
    const auto& share = preview.columns.at(0).share;
    ASSERT_TRUE(share);
    EXPECT_LT(share->low, 0.1);
    EXPECT_GT(share->high, 0.1);
    EXPECT_GT(share->low, 0.03);
    EXPECT_LT(share->high, 0.2);
  }
  EXPECT_NEAR(*shown(stated_plan(kChannel, {100, 200, 300}, true)).columns.at(0).unchanged, 0.8, 1e-12);
  EXPECT_NEAR(*shown(stated_plan(swap_of_tenths(), {100, 200, 300}, true)).unchanged, 0.9, 1e-12);
}

TEST(StatementPreview, SaysWhatCanBeEstimatedInTheStatementsWords) {
  const StatementPreview same = shown(stated_plan(no_noise("laplace"), {100, 200, 300}, true));
  EXPECT_EQ(same.notes.front(), "The released values are the true ones.");
  EXPECT_EQ(same.unchanged, 1);
}

TEST(StatementPreview, RefusesWhatIsNoStatement) {
  EXPECT_FALSE(is_statement(parse_json("{\"fugu\": 1, \"digest\": \"x\"}", "x")));
  EXPECT_THROW(preview_of_statement(parse_json("{\"fugu\": 1, \"statement\": \"x\"}", "x"), "x"), Error);
  EXPECT_THROW(preview_of_statement(parse_json("{\"statement\": 4}", "x"), "x"), Error);
}

}  // namespace
}  // namespace fugu
