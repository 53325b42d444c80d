#include "fugu/ledger/outlook.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "fugu/core/error.h"
#include "fugu/ledger/ledger_json.h"
#include "fugu/ledger/ledger_output.h"
#include "fugu/ledger/release_within_budget.h"
#include "fugu/verify/verify.h"
#include "tests/support/brute_force.h"
#include "tests/support/random_scenario.h"

namespace fugu {
namespace {

using testing::epsilon_of;

// Two points, one step apart: the loss of Laplace noise is its influence.
Plan step_plan(const std::string& epsilon) {
  Scenario scenario{epsilon_of(epsilon)};
  scenario.secrets = {"a", "b"};
  scenario.priors = {
      {"empirical", {Distribution::from_counts({1}, {1}), Distribution::from_counts({2}, {1})}}};
  scenario.source.emplace();
  scenario.source->secret = {"s"};
  scenario.source->published = {"x"};
  Noise noise = no_noise("laplace");
  noise.tail = {exp(Interval(Rational(-scenario.epsilon.value()), 256)).ceil_scaled(100), 100};
  Plan plan{scenario, "exact", noise, 1, {}, {}, {}, {}, {}};
  plan.witness = prove(scenario, plan.mechanism).witness;
  return plan;
}

class OutlookTest : public ::testing::Test {
 protected:
  OutlookTest() {
    char name[] = "/tmp/fugu-outlook-XXXXXX";
    folder_ = ::mkdtemp(name);
    path_ = folder_ / "budget.db";
  }
  ~OutlookTest() override { std::filesystem::remove_all(folder_); }
  static SpendRequest request(const char* budget = nullptr) {
    SpendRequest request{.dataset = "d"};
    request.rows.digest = "the rows";
    if (budget) request.budget = epsilon_of(budget);
    return request;
  }

  std::filesystem::path folder_;
  std::string path_;
};

TEST_F(OutlookTest, SaysWhatFitsBeforeAnythingIsSpent) {
  const Outlook before = Ledger::ask(path_, step_plan("0.1"), request("0.3"));
  EXPECT_FALSE(std::filesystem::exists(path_));
  EXPECT_EQ(before.more, (More{3, false}));
  EXPECT_EQ(before.releases, 0U);
  EXPECT_FALSE(before.spent);
  EXPECT_EQ(before.together->epsilon, Rational(1, 10));
  ASSERT_TRUE(before.influence);
  EXPECT_EQ(before.influence->spent, 0);
  EXPECT_NEAR(*before.influence->most, 0.3, 1e-12);
  EXPECT_NEAR(*before.of_release, 0.1, 1e-12);
  // As many as were promised, to the last digit.
  for (int64_t k = 1; k <= 3; ++k) {
    auto [ledger, spent] = Ledger::spend(path_, step_plan("0.1"), request("0.3"));
    ledger.look_ahead(spent);
    EXPECT_EQ(spent.more, (More{3 - k, false}));
    EXPECT_NEAR(spent.influence->spent, 0.1 * static_cast<double>(k), 1e-12);
    EXPECT_NEAR(spent.influence->left(), 0.3 - 0.1 * static_cast<double>(k), 1e-12);
    const AccountView view = ledger.accounts().at(0);
    EXPECT_EQ(view.more, spent.more);
    EXPECT_EQ(view.last, k);
  }
  EXPECT_THROW(Ledger::spend(path_, step_plan("0.1"), request()), Error);
  const Outlook after = Ledger::ask(path_, step_plan("0.1"), request());
  EXPECT_EQ(after.more, More{});
  EXPECT_NE(after.refusal.find("would be spent"), std::string::npos);
  EXPECT_FALSE(after.hint.empty());
  EXPECT_FALSE(after.together);
  EXPECT_EQ(after.spent->epsilon, Rational(3, 10));
  EXPECT_EQ(Ledger(path_).accounts().at(0).releases.size(), 3U);  // asking writes nothing
}

TEST_F(OutlookTest, TakesTheRowsOfTheLastReleaseWhereNoneWereRead) {
  Ledger::spend(path_, step_plan("0.1"), request("1"));
  SpendRequest unread = request();
  unread.rows.digest = "";
  const Outlook outlook = Ledger::ask(path_, step_plan("0.1"), unread);
  EXPECT_EQ(outlook.more, (More{9, false}));
  ASSERT_FALSE(outlook.assumptions.empty());
  EXPECT_EQ(outlook.assumptions[0],
            "The rows are taken to be those of release 1, of the same columns and frequencies.");
  EXPECT_THROW(Ledger::ask(path_, step_plan("0.1"), {.dataset = "other"}), Error);
  EXPECT_THROW(Ledger::ask(path_, step_plan("0.1"), request("2")), Error);
}

TEST_F(OutlookTest, FindsByTryingWhatHasNoInfluence) {
  Plan plan = step_plan("0.1");
  Noise wide = plan.noise();
  wide.weights = {Integer(1), Integer(1), Integer(1)};
  plan.mechanism = wide;
  const Outlook outlook = Ledger::ask(path_, plan, request("0.55"));
  EXPECT_FALSE(outlook.influence);
  EXPECT_EQ(outlook.more, (More{5, false}));
}

TEST_F(OutlookTest, LooksNoFurtherThanAThousand) {
  EXPECT_EQ(Ledger::ask(path_, step_plan("0.001"), request("3")).more, (More{1000, true}));
  EXPECT_EQ(Ledger::ask(path_, step_plan("0.001"), request("0.9995")).more, (More{999, false}));
}

// What influences prove is admitted, though a bound that is rounded up may lie above the budget.
TEST_F(OutlookTest, WhatIsLeftOfInfluenceIsLeft) {
  for (const char* budget : {"0.3", "0.7", "1"}) {
    std::filesystem::remove(path_);
    const Outlook outlook = Ledger::ask(path_, step_plan("0.1"), request(budget));
    for (int64_t k = 0; k < outlook.more.releases; ++k)
      Ledger::spend(path_, step_plan("0.1"), request(budget));
    EXPECT_THROW(Ledger::spend(path_, step_plan("0.1"), request()), Error);
  }
}

TEST_F(OutlookTest, WhatWentToOtherMachinesCannotBeVoid) {
  for (const char* place : {"hdfs://host/out", "file:/tmp/nothing/out", "s3a://bucket/out"}) {
    SpendRequest elsewhere = request("1");
    elsewhere.output = place;
    auto [ledger, spent] = Ledger::spend(path_, step_plan("0.1"), elsewhere);
    EXPECT_TRUE(is_elsewhere(place));
    EXPECT_THROW(ledger.void_release(spent.id, "killed"), Error);
  }
  EXPECT_FALSE(is_elsewhere("/tmp/a:/b"));
  EXPECT_FALSE(is_elsewhere("/tmp/out.csv"));
  EXPECT_FALSE(is_elsewhere(""));
}

TEST_F(OutlookTest, AReservationIsVoidOnlyWhileNoneUsesIt) {
  Scenario scenario{epsilon_of("0.5")};
  scenario.secrets = {"a", "b"};
  scenario.axes.resize(2);
  scenario.points = {{0, 0}, {1, 1}};
  scenario.priors = {
      {"empirical", {Distribution::from_counts({0}, {1}), Distribution::from_counts({1}, {1})}}};
  scenario.source.emplace();
  scenario.source->secret = {"s"};
  scenario.source->published = {"x", "y"};
  scenario.source->columns.resize(2);
  const JointNoise noise{Scale{1}, {testing::laplace_tail(3, 2), testing::laplace_tail(3, 2)}};
  Plan joint{scenario, "exact", noise, 0, {}, {}, {}, {}, {}};
  joint.witness = prove(scenario, joint.mechanism).witness;
  SpendRequest reserve = request("2");
  reserve.reserve = true;
  auto [ledger, first] = Ledger::spend(path_, joint, reserve);
  EXPECT_EQ(state_name(ledger.accounts().at(0).releases.at(0)), "reserved");
  ledger.void_release(first.id, "for nothing");
  const int64_t second = Ledger::spend(path_, joint, reserve).second.id;
  Plan column{scenario.column(0), "exact", testing::laplace_tail(3, 2), 0, {}, {}, {}, {}, {}};
  column.witness = prove(column.scenario, column.mechanism).witness;
  Ledger::spend(path_, column, request());
  EXPECT_THROW(ledger.void_release(second, "in use"), Error);
  const Json shown = accounts_to_json(ledger.accounts());
  const Json& account = shown.find("accounts")->if_array()->at(0);
  EXPECT_EQ(account.find("reservations")->if_array()->size(), 1U);
  // A plan that does not verify reserves nothing.
  EXPECT_THROW(reserve_within_budget({path_, {.dataset = "e", .budget = epsilon_of("2")}}, joint, {}, {}),
               Error);
  EXPECT_EQ(ledger.accounts().size(), 1U);
}

}  // namespace
}  // namespace fugu
