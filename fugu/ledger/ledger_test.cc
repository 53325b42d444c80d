#include "fugu/ledger/ledger.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <atomic>
#include <filesystem>
#include <functional>
#include <thread>

#include "fugu/core/error.h"
#include "fugu/core/interval.h"
#include "fugu/verify/verify.h"
#include "tests/support/random_scenario.h"

namespace fugu {
namespace {

using testing::epsilon_of;

class LedgerTest : public ::testing::Test {
 protected:
  LedgerTest() {
    std::string name = (std::filesystem::temp_directory_path() / "fugu-ledger-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
    path_ = (folder_ / "budget.db").string();
  }
  ~LedgerTest() override { std::filesystem::remove_all(folder_); }

  SpendRequest ask(const char* budget = nullptr, const char* dataset = "d") const {
    SpendRequest request{.dataset = dataset, .time = "2026-11-15T09:00:00Z", .output = "out.csv"};
    if (budget) request.budget = epsilon_of(budget);
    return request;
  }
  Spent spend(const Plan& plan, const SpendRequest& request) const {
    return Ledger::spend(path_, plan, request).second;
  }
  // The kind of the error, and that nothing was written down.
  ErrorKind refusal(const Plan& plan, const SpendRequest& request) const {
    const size_t before = count();
    try {
      spend(plan, request);
    } catch (const Error& error) {
      EXPECT_EQ(count(), before);
      EXPECT_FALSE(error.hint().empty());
      return error.kind();
    }
    return ErrorKind::kBug;
  }
  size_t count() const {
    if (!std::filesystem::exists(path_)) return 0;
    size_t releases = 0;
    for (const AccountView& view : Ledger(path_).accounts()) releases += view.releases.size();
    return releases;
  }

  std::filesystem::path folder_;
  std::string path_;
};

// Two points, one step apart: the loss of Laplace noise of ratio r is -log r, and losses add.
Plan point_plan(const std::string& epsilon, const std::string& column = "x",
                std::vector<uint64_t> counts = {1, 1}) {
  Scenario scenario{epsilon_of(epsilon)};
  scenario.secrets = {"a", "b"};
  scenario.priors = {
      {"empirical",
       {Distribution::from_counts({1}, {counts[0]}), Distribution::from_counts({2}, {counts[1]})}}};
  scenario.source.emplace();
  scenario.source->secret = {"s"};
  scenario.source->published = {column};
  Noise noise = no_noise("laplace");
  noise.tail = {exp(Interval(Rational(-scenario.epsilon.value()), 256)).ceil_scaled(100), 100};
  Plan plan{scenario, "exact", noise, 1, {}, {}, {}, {}, {}};
  plan.witness = prove(scenario, plan.mechanism).witness;
  return plan;
}

ErrorKind kind_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.kind();
  }
  return ErrorKind::kBug;
}

TEST_F(LedgerTest, SpendsUpToTheBudgetAndNoFurther) {
  const Plan plan = point_plan("0.1");
  const Spent first = spend(plan, ask("0.3"));
  EXPECT_EQ(first.id, 1);
  EXPECT_EQ(first.together.epsilon, Rational(1, 10));
  EXPECT_EQ(first.left(), Rational(1, 5));
  EXPECT_EQ(spend(plan, ask()).together.epsilon, Rational(1, 5));
  EXPECT_EQ(spend(plan, ask()).left(), 0);  // three times 0.1 is 0.3, to the last digit
  EXPECT_EQ(refusal(plan, ask()), ErrorKind::kBudget);
  EXPECT_EQ(refusal(point_plan("0.000000001"), ask()), ErrorKind::kBudget);
}

TEST_F(LedgerTest, IsPrivateAndReadsBack) {
  const Plan plan = point_plan("0.1");
  auto [ledger, spent] = Ledger::spend(path_, plan, ask("1"));
  struct stat status {};
  ASSERT_EQ(::stat(path_.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600U);
  const auto before = ledger.accounts();
  ASSERT_EQ(before.size(), 1U);
  EXPECT_EQ(before[0].account.secret, std::vector<std::string>{"s"});
  ASSERT_EQ(before[0].releases.size(), 1U);
  EXPECT_EQ(before[0].releases[0].plan, plan);
  EXPECT_EQ(before[0].releases[0].digest, counts_digest(plan.scenario));
  EXPECT_EQ(before[0].releases[0].state, ReleaseState::kSpent);
  ledger.mark_done(spent.id);
  EXPECT_EQ(Ledger(path_).accounts()[0].releases[0].state, ReleaseState::kDone);
}

TEST_F(LedgerTest, BudgetsAreSetOnce) {
  const Plan plan = point_plan("0.1");
  EXPECT_EQ(refusal(plan, ask()), ErrorKind::kUsage);
  EXPECT_FALSE(std::filesystem::exists(path_));
  EXPECT_EQ(refusal(plan, ask("0.05")), ErrorKind::kBudget);
  EXPECT_FALSE(std::filesystem::exists(path_));  // a refusal leaves no file
  spend(plan, ask("1"));
  spend(plan, ask("1"));
  EXPECT_EQ(refusal(plan, ask("2")), ErrorKind::kUsage);
  EXPECT_EQ(refusal(plan, ask(nullptr, "another")), ErrorKind::kUsage);
  spend(plan, ask("0.1", "another"));
  SpendRequest with_delta = ask();
  with_delta.budget_delta = Delta::parse("1e-6", "test", ErrorKind::kData);
  EXPECT_EQ(refusal(plan, with_delta), ErrorKind::kUsage);
}

// Of another column a release counts by what it tells whatever the values are.
TEST_F(LedgerTest, OtherColumnsCountByTheirRangesAndOtherLatticesAreRefused) {
  SpendRequest request = ask("10");
  request.rows.digest = "the rows";
  spend(point_plan("0.1"), request);
  EXPECT_EQ(spend(point_plan("0.1", "y"), ask()).together.epsilon, Rational(1, 5));
  Plan coarse = point_plan("0.1");
  coarse.scenario.lattice.step = 2;
  EXPECT_EQ(refusal(coarse, request), ErrorKind::kBudget);
  Plan nameless = point_plan("0.1");
  nameless.scenario.source.reset();
  EXPECT_EQ(refusal(nameless, ask()), ErrorKind::kUsage);
}

TEST_F(LedgerTest, AnAppendedRowBuysNothing) {
  EXPECT_FALSE(spend(point_plan("0.1"), ask("0.2")).other_data);
  const Spent other = spend(point_plan("0.1", "x", {1, 2}), ask());
  EXPECT_EQ(other.other_data, 1);
  EXPECT_EQ(other.together.epsilon, Rational(1, 5));
  EXPECT_EQ(refusal(point_plan("0.1", "x", {1, 3}), ask()), ErrorKind::kBudget);
}

// Half of each secret's people have each value: the column as it is tells nothing.
Plan coin_plan() {
  Plan plan = point_plan("0.1");
  const Distribution coin = Distribution::from_counts({1, 2}, {1, 1});
  plan.scenario.priors = {{"empirical", {coin, coin}}};
  plan.mechanism = no_noise("laplace");
  plan.witness = prove(plan.scenario, plan.mechanism).witness;
  return plan;
}

TEST_F(LedgerTest, OnlyTheSameRowsOrAWordMakeTheSameValues) {
  SpendRequest january = ask("0.1"), february = ask();
  january.rows = {.digest = "january", .counted = true};
  february.rows = {.digest = "february", .counted = true};
  EXPECT_TRUE(spend(coin_plan(), january).assumptions.empty());
  EXPECT_EQ(refusal(coin_plan(), february), ErrorKind::kBudget);
  SpendRequest unknown = ask();
  EXPECT_EQ(refusal(coin_plan(), unknown), ErrorKind::kBudget);
  const Spent again = spend(coin_plan(), january);
  EXPECT_EQ(again.together.epsilon, 0);
  EXPECT_EQ(again.assumptions.size(), 1U);
  february.values_unchanged = true;
  EXPECT_EQ(spend(coin_plan(), february).together.epsilon, 0);
  const auto view = Ledger(path_).accounts().at(0);
  ASSERT_EQ(view.assumptions.size(), 1U);
  EXPECT_NE(view.assumptions[0].find("--values-unchanged"), std::string::npos);
  // The salt is the ledger's own, so that no digest is kept as it came.
  for (const LedgerRelease& release : view.releases) EXPECT_EQ(release.rows.digest.substr(0, 7), "sha256:");
  EXPECT_EQ(view.releases[0].rows.digest, view.releases[1].rows.digest);
  EXPECT_NE(view.releases[1].rows.digest, view.releases[2].rows.digest);
}

TEST_F(LedgerTest, OtherValuesCountByTheirRange) {
  SpendRequest january = ask("0.3"), february = ask();
  january.rows.digest = "january";
  february.rows.digest = "february";
  spend(coin_plan(), january);
  // One set of values may have no noise: here February's flips January's coin with the secret.
  const Spent second = spend(point_plan("0.1"), february);
  EXPECT_EQ(second.together, (Composition{Rational(1, 10), Rational(0), "changing"}));
  EXPECT_EQ(spend(point_plan("0.2"), february).together.epsilon, Rational(3, 10));
  EXPECT_EQ(refusal(point_plan("0.01"), february), ErrorKind::kBudget);
}

TEST_F(LedgerTest, RowsThatAreLeftOutTellTheirValue) {
  SpendRequest request = ask("10");
  request.rows = {.digest = "january", .drops = true};
  spend(point_plan("0.1"), request);
  spend(point_plan("0.1"), request);
  request.rows.digest = "february";
  EXPECT_EQ(refusal(point_plan("0.1"), request), ErrorKind::kBudget);
  request.rows.drops = false;  // one set of values may count by its laws
  EXPECT_EQ(spend(point_plan("0.1"), request).together.epsilon, Rational(3, 10));
  Plan dropping = point_plan("0.1");
  dropping.scenario.source->missing = Missing::kDrop;
  request.rows.digest = "march";
  EXPECT_EQ(refusal(dropping, request), ErrorKind::kBudget);
}

TEST_F(LedgerTest, AWordIsHeldAgainstTheCounts) {
  SpendRequest request = ask("10");
  request.rows.counted = true;
  spend(point_plan("0.1", "x", {3, 3}), request);
  request.values_unchanged = true;
  spend(point_plan("0.1", "x", {4, 3}), request);  // somebody came
  EXPECT_EQ(refusal(point_plan("0.1", "x", {2, 4}), request), ErrorKind::kUsage);
  request.rows.counted = false;  // by a plan of another table
  spend(point_plan("0.1", "x", {2, 4}), request);
}

TEST_F(LedgerTest, SecretsThatShareAColumnShareTheirBudgets) {
  auto beside = [](const std::string& epsilon, const std::string& column) {
    Plan plan = point_plan(epsilon);
    plan.scenario.source->secret = {"s", column};
    return plan;
  };
  SpendRequest request = ask("0.3");
  request.rows.digest = "the rows";
  spend(point_plan("0.1"), request);
  const Spent second = spend(beside("0.1", "c1"), request);
  EXPECT_EQ(second.together.epsilon, Rational(1, 5));
  EXPECT_EQ(second.releases, 2U);
  EXPECT_FALSE(second.other_secret);
  SpendRequest large = request;
  large.budget = epsilon_of("5");
  EXPECT_EQ(refusal(beside("0.2", "c2"), large), ErrorKind::kBudget);  // the first budget would be passed
  EXPECT_EQ(spend(beside("0.1", "c2"), large).together.epsilon, Rational(3, 10));
  EXPECT_EQ(refusal(point_plan("0.01"), ask()), ErrorKind::kBudget);
  for (const AccountView& view : Ledger(path_).accounts()) {
    EXPECT_EQ(view.counted, 3U);
    EXPECT_EQ(view.together->epsilon, Rational(3, 10));
  }
  // A second column beside another secret is a second column all the same.
  Plan other = beside("0.1", "c3");
  other.scenario.source->published = {"y"};
  EXPECT_EQ(refusal(other, large), ErrorKind::kBudget);
  // The same column tells of every secret that it was released beside; another column is another matter.
  Plan apart = point_plan("0.1");
  apart.scenario.source->secret = {"t"};
  EXPECT_EQ(refusal(apart, large), ErrorKind::kBudget);
  apart.scenario.source->published = {"y"};
  EXPECT_TRUE(spend(apart, large).other_secret);
}

// Though no value has changed, they may be more people, of whom the laws of the first secret say nothing.
TEST_F(LedgerTest, AnotherSecretOfOtherRowsCountsByItsRange) {
  SpendRequest january = ask("0.3"), february = ask("0.3");
  january.rows.digest = "january";
  february.rows.digest = "february";
  february.values_unchanged = true;
  auto beside_w = [](Plan plan) {
    plan.scenario.source->secret = {"w"};
    return plan;
  };
  spend(coin_plan(), january);
  EXPECT_EQ(refusal(beside_w(coin_plan()), february), ErrorKind::kBudget);  // which tells all
  february.rows.digest = "";
  EXPECT_EQ(refusal(beside_w(coin_plan()), february), ErrorKind::kBudget);
  EXPECT_EQ(spend(beside_w(coin_plan()), january).together.epsilon, 0);
}

TEST_F(LedgerTest, KeptColumnsOfAnotherSecretAreRefused) {
  Plan wide = point_plan("0.1");
  wide.scenario.source->secret = {"s", "c"};
  SpendRequest request = ask("5"), keeping = request;
  keeping.kept = {"g"};
  spend(point_plan("0.1"), keeping);
  EXPECT_EQ(refusal(wide, request), ErrorKind::kBudget);
}

// February's kept column tells what January's value was flipped by.
TEST_F(LedgerTest, KeptColumnsOfOtherRowsLeaveOnlyTheRange) {
  SpendRequest january = ask("5"), february = ask();
  january.rows.digest = "january";
  february.rows.digest = "february";
  february.kept = {"g"};
  spend(coin_plan(), january);
  EXPECT_EQ(refusal(point_plan("0.1"), february), ErrorKind::kBudget);
}

TEST_F(LedgerTest, AnOlderLedgerIsBroughtUpToDate) {
  SpendRequest request = ask("10");
  request.rows.digest = "the rows";
  spend(coin_plan(), request);
  spend(coin_plan(), request);
  {
    Database old(path_);
    for (const char* column : {"rows", "counted", "drops", "unchanged", "reserved"})
      old.run(std::string("ALTER TABLE releases DROP COLUMN ") + column);
    old.run("DROP TABLE salt; PRAGMA user_version = 1");
  }
  const auto view = Ledger(path_).accounts().at(0);
  EXPECT_EQ(view.counted, 2U);
  EXPECT_FALSE(view.together);  // whether they were of the same values is not known
  EXPECT_EQ(refusal(coin_plan(), request), ErrorKind::kBudget);
  request.values_unchanged = true;
  EXPECT_EQ(spend(coin_plan(), request).together.epsilon, 0);
  EXPECT_EQ(Ledger(path_).accounts().at(0).together->epsilon, 0);
}

TEST_F(LedgerTest, DeltaHasABudgetOfItsOwn) {
  Plan plan = point_plan("0.1");
  plan.scenario.delta = Delta::parse("1e-6", "test", ErrorKind::kData);
  // Half the noise: as pure epsilon it would take 0.2.
  std::get<Noise>(plan.mechanism) = std::get<Noise>(point_plan("0.2").mechanism);
  plan.witness = {"empirical", {"a", "b"}, 1, {}, 1e-6};
  EXPECT_EQ(refusal(plan, ask("0.15")), ErrorKind::kBudget);
  SpendRequest request = ask("0.15");
  request.budget_delta = plan.scenario.delta;
  EXPECT_EQ(spend(plan, request).together,
            (Composition{Rational(1, 10), plan.scenario.delta.value(), "single"}));
}

TEST_F(LedgerTest, WhatAppearsAfterAllCountsThoughItWasMadeVoid) {
  const Plan plan = point_plan("0.1");
  auto [ledger, first] = Ledger::spend(path_, plan, ask("0.1"));
  ledger.void_release(first.id, "it seemed to be gone");
  ledger.mark_done(first.id);
  EXPECT_EQ(Ledger(path_).accounts().at(0).releases.at(0).state, ReleaseState::kDone);
  EXPECT_EQ(refusal(plan, ask()), ErrorKind::kBudget);
}

TEST_F(LedgerTest, OnlyWhatNeverAppearedCanBeVoid) {
  const Plan plan = point_plan("0.1");
  auto [ledger, first] = Ledger::spend(path_, plan, ask("0.2"));
  ledger.mark_done(first.id);
  const Spent second = spend(plan, ask());
  EXPECT_EQ(refusal(plan, ask()), ErrorKind::kBudget);
  EXPECT_EQ(kind_of([&, id = first.id, &book = ledger] { book.void_release(id, "no"); }), ErrorKind::kUsage);
  ledger.void_release(second.id, "killed");
  EXPECT_EQ(kind_of([&, &book = ledger] { book.void_release(second.id, "again"); }), ErrorKind::kUsage);
  EXPECT_EQ(kind_of([&, &book = ledger] { book.void_release(77, "no"); }), ErrorKind::kUsage);
  EXPECT_EQ(spend(plan, ask()).releases, 2U);
  EXPECT_EQ(ledger.accounts()[0].releases[1].reason, "killed");
  EXPECT_EQ(ledger.accounts()[0].together->epsilon, Rational(1, 5));
}

TEST_F(LedgerTest, AnotherFileIsNoLedger) {
  EXPECT_EQ(kind_of([&] { Ledger ledger(path_); }), ErrorKind::kIo);
  {
    std::unique_ptr<FILE, int (*)(FILE*)> file(std::fopen(path_.c_str(), "w"), std::fclose);
    std::fputs("this is a table, not a ledger\n", file.get());
  }
  ::chmod(path_.c_str(), 0600);
  EXPECT_EQ(kind_of([&] { Ledger ledger(path_); }), ErrorKind::kData);
  EXPECT_EQ(kind_of([&] { spend(point_plan("0.1"), ask("1")); }), ErrorKind::kData);
  std::filesystem::resize_file(path_, 0);
  Database(path_).run("CREATE TABLE mine (x)");
  EXPECT_EQ(kind_of([&] { spend(point_plan("0.1"), ask("1")); }), ErrorKind::kData);
  EXPECT_EQ(kind_of([&] { spend(point_plan("0.1"), {.dataset = "d", .budget = epsilon_of("1")}); }),
            ErrorKind::kData);
  EXPECT_EQ(kind_of([&] { Ledger ledger(folder_.string()); }), ErrorKind::kUsage);
}

TEST_F(LedgerTest, ManyAtOnceNeverPassTheBudget) {
  const Plan plan = point_plan("0.1");
  std::atomic<int> spent = 0, refused = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&] {
      for (int k = 0; k < 3; ++k) {
        const ErrorKind kind = kind_of([&] {
          spend(plan, ask("0.7"));
          ++spent;
        });
        if (kind == ErrorKind::kBudget) ++refused;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(spent, 7);
  EXPECT_EQ(refused, 17);
  EXPECT_EQ(Ledger(path_).accounts()[0].together->epsilon, Rational(7, 10));
}

}  // namespace
}  // namespace fugu
