#include "fugu/ledger/family.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "fugu/core/error.h"
#include "fugu/ledger/ledger_rules.h"
#include "fugu/ledger/outlook.h"
#include "tests/support/brute_force.h"
#include "tests/support/random_joint.h"

namespace fugu {
namespace {

using testing::epsilon_of;
using testing::laplace_tail;

// S xor B and B: each says nothing of the secret, and both say all.
Scenario coins_scenario() {
  Scenario scenario = testing::joint_scenario({{{{{0, 0}, 1}, {{1, 1}, 1}}, {{{1, 0}, 1}, {{0, 1}, 1}}}}, 2);
  scenario.epsilon = epsilon_of("0.01");  // which any noise on either column keeps
  scenario.source.emplace();
  scenario.source->secret = {"s"};
  scenario.source->published = {"x", "y"};
  scenario.source->columns.resize(2);
  return scenario;
}

LedgerRelease family_release(const Scenario& scenario, Mechanism mechanism, int64_t id) {
  return {.id = id,
          .time = {},
          .dataset = "d",
          .secret = {"s"},
          .published = scenario.source->published,
          .digest = counts_digest(scenario),
          .output = {},
          .kept = {},
          .reason = {},
          .plan = {scenario, "exact", std::move(mechanism), 0, {}, {}, {}, {}, {}},
          .rows = {.digest = "the rows"}};
}

// Of x four halvings by step are reserved, of y two.
LedgerRelease family_reservation() {
  LedgerRelease release =
      family_release(coins_scenario(), JointNoise{Scale{1}, {laplace_tail(1, 4), laplace_tail(1, 2)}}, 1);
  release.reserved = true;
  return release;
}

LedgerRelease of_column(size_t column, const Noise& noise, int64_t id) {
  return family_release(coins_scenario().column(column), noise, id);
}

const Account kCoins{"d", {"s"}, Rational(3), Rational(0)};

std::string family_refusal(const std::vector<LedgerRelease>& releases) {
  try {
    judged({.dataset = "d"}, {kCoins}, releases);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kBudget);
    EXPECT_FALSE(error.hint().empty());
    return error.message();
  }
  return "";
}

// Two rows of a person as one value: there is noise on more columns than are released.
TEST(Family, SeveralRowsOfAPersonAreOutside) {
  Scenario bags = testing::joint_scenario(
      {{{{{0, 0, 0, 1}, 1}, {{1, 1, 1, 1}, 1}}, {{{1, 0, 1, 0}, 1}, {{0, 1, 1, 1}, 1}}}}, 4);
  bags.epsilon = epsilon_of("0.01");
  bags.source = coins_scenario().source;
  bags.source->columns.resize(4);
  bags.source->person = Person{"id", std::string(64, '0'), 2};
  const JointNoise noise{Scale{1}, {4, laplace_tail(9, 10)}};
  const LedgerRelease reserved = family_reservation(), release = family_release(bags, noise, 2);
  ASSERT_EQ(release.published, reserved.published);
  const std::vector<LedgerRelease> releases{reserved, release};
  EXPECT_TRUE(families_of(releases).front().members.empty());
  EXPECT_NE(why_outside_families(releases).find("one row for each person"), std::string::npos);
  EXPECT_THROW(check_reservable(release.plan), Error);
}

TEST(Family, ReservesOnceForAllItsColumns) {
  std::vector<LedgerRelease> releases{family_reservation()};
  const Spent reserved = judged({.dataset = "d"}, {kCoins}, releases);
  EXPECT_EQ(reserved.releases, 0U);
  // Each row exchanges x alone, which costs 16, or y alone, which costs 4: the latter is enough.
  EXPECT_NEAR(static_cast<double>(reserved.together.epsilon), std::log(4), 1e-9);
  EXPECT_EQ(reserved.together.bound, "transfer");
  releases.push_back(of_column(0, laplace_tail(1, 2), 2));
  releases.push_back(of_column(1, laplace_tail(1, 2), 3));
  const Spent spent = judged({.dataset = "d"}, {kCoins}, releases);
  EXPECT_EQ(spent.together.epsilon, reserved.together.epsilon);
  EXPECT_EQ(spent.releases, 2U);
  ASSERT_EQ(spent.assumptions.size(), 1U);
  EXPECT_EQ(spent.assumptions[0],
            "Releases 2 and 3 keep within what release 1 reserved; the values are taken to be those that it "
            "was made for, being the same rows in the same order.");
  const Family family = families_of(releases).at(0);
  EXPECT_NEAR(family.influence(0), 4 * std::log(2), 1e-12);
  EXPECT_NEAR(family.left(0), 2 * std::log(2), 1e-12);
  EXPECT_EQ(family.left(1), 0);
}

TEST(Family, IsRefusedBeyondItsInfluence) {
  std::vector<LedgerRelease> releases{family_reservation(), of_column(1, laplace_tail(1, 2), 2)};
  EXPECT_EQ(family_refusal(releases), "");
  releases.push_back(of_column(1, laplace_tail(31, 5), 3));
  EXPECT_EQ(family_refusal(releases),
            "release 1 reserved x, y, and this one does not keep within it: of y influence 0 is left, and "
            "this release has 0.03175");
  // To the last digit: what is reserved may be used whole.
  releases.back() = of_column(0, laplace_tail(1, 4), 3);
  EXPECT_EQ(family_refusal(releases), "");
  Noise little_more = laplace_tail(1, 4);
  little_more.tail = {(Integer(1) << 96) - 1, 100};
  releases.back() = of_column(0, little_more, 3);
  EXPECT_NE(family_refusal(releases), "");
  // What hides the values themselves is no matter of the reservation, and costs its epsilon.
  Scenario hidden = coins_scenario().column(1);
  hidden.epsilon = epsilon_of("0.05");
  releases.back() = family_release(hidden, laplace_tail(31, 5), 3);
  const Spent spent = judged({.dataset = "d"}, {kCoins}, releases);
  EXPECT_NEAR(static_cast<double>(spent.together.epsilon), std::log(4) + std::log(32.0 / 31), 1e-9);
}

TEST(Family, TakesTheSameValuesLawsAndSecretsOnly) {
  const std::vector<LedgerRelease> reserved{family_reservation()};
  auto refused = [&](const std::function<void(LedgerRelease&)>& change) {
    std::vector<LedgerRelease> releases = reserved;
    releases.push_back(of_column(0, laplace_tail(1, 2), 2));
    change(releases.back());
    return family_refusal(releases);
  };
  EXPECT_EQ(refused([](LedgerRelease&) {}), "");
  auto says = [&](const std::function<void(LedgerRelease&)>& change, const std::string& what) {
    const std::string message = refused(change);
    EXPECT_NE(message.find(what), std::string::npos) << message;
  };
  says([](LedgerRelease& r) { r.rows.digest = "other rows"; }, "other values");
  says([](LedgerRelease& r) { r.rows.digest = ""; }, "other values");
  EXPECT_EQ(refused([](LedgerRelease& r) { r.rows.digest = "", r.values_unchanged = true; }), "");
  says(
      [](LedgerRelease& r) {
        r.plan.scenario.priors[0].by_secret[0] = Distribution::from_counts({0, 1}, {1, 2});
      },
      "priors differ");
  says([](LedgerRelease& r) { r.plan.scenario.lattice.step = 2; }, "lattices");
  says([](LedgerRelease& r) { r.plan.mechanism = no_noise("laplace"); }, "Laplace noise");
  says([](LedgerRelease& r) { r.plan.scenario.source->columns[0].clip.emplace(Rational(0), Rational(5)); },
       "ranges");
}

TEST(Family, AReleaseOfTheWholePlanCountsInEveryColumn) {
  std::vector<LedgerRelease> releases{family_reservation()};
  releases.push_back(
      family_release(coins_scenario(), JointNoise{Scale{1}, {laplace_tail(1, 2), laplace_tail(1, 1)}}, 2));
  EXPECT_EQ(family_refusal(releases), "");
  EXPECT_EQ(more_in_family(releases, 10), 1);
  EXPECT_EQ(more_in_family(releases, 0), 0);
  const Family family = families_of(releases).at(0);
  EXPECT_NEAR(family.left(0), 2 * std::log(2), 1e-12);
  EXPECT_NEAR(family.left(1), std::log(2), 1e-12);
  EXPECT_EQ(more_like(releases.back(), {kCoins}, releases), (More{1, false}));
  releases.push_back(of_column(1, laplace_tail(1, 1), 3));
  EXPECT_EQ(more_like(releases[1], {kCoins}, releases), (More{0, false}));
  EXPECT_EQ(more_like(of_column(0, laplace_tail(1, 1), 4), {kCoins}, releases), (More{2, false}));
}

TEST(Family, OnlyNoiseOnSeveralColumnsIsReserved) {
  EXPECT_NO_THROW(check_reservable(family_reservation().plan));
  EXPECT_THROW(check_reservable(of_column(0, laplace_tail(1, 2), 1).plan), Error);
  Plan none = family_reservation().plan;
  std::get<JointNoise>(none.mechanism).columns[1] = no_noise("laplace");
  EXPECT_THROW(check_reservable(none), Error);
  Plan known = family_reservation().plan;
  known.scenario.source->known = {"g"};
  EXPECT_THROW(check_reservable(known), Error);
}

}  // namespace
}  // namespace fugu
