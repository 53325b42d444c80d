// Released files with planted faults that depend on the secret, on other columns or on other rows with the
// same value; and right files, which are not accused more often than is stated.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <map>

#include "fugu/audit/audit.h"
#include "fugu/audit/memory_file.h"
#include "fugu/calibrate/calibrate.h"
#include "fugu/count/table_model.h"
#include "tests/support/audit_checks.h"
#include "tests/support/random_scenario.h"
#include "tests/support/temp_file.h"
#include "tests/support/text_rows.h"

namespace fugu {
namespace {

using testing::check_named, testing::csv, testing::Rows, testing::two_secrets;

const Rational kSure(999'999, 1'000'000);
constexpr int kRuns = 3;

// A table with the secret s, its released columns and those that are known, and the plan that was made from
// it.
struct Case {
  std::vector<std::string> released, known;
  Rows rows;  // the secret first
  TempFile file;
  Plan plan;

  Case(const std::vector<std::string>& columns, const Rows& table, const std::string& epsilon,
       const std::string& method = "exact", const std::vector<std::string>& known_columns = {})
      : released(columns),
        known(known_columns),
        rows(table),
        file(csv(header(), rows)),
        plan(make(epsilon, method)) {}

  std::vector<std::string> written() const {
    std::vector<std::string> names = released;
    names.insert(names.end(), known.begin(), known.end());
    return names;
  }
  std::vector<std::string> header() const {
    std::vector<std::string> names = written();
    names.insert(names.begin(), "s");
    return names;
  }
  Plan make(const std::string& epsilon, const std::string& method) const {
    TableQuestion question{.epsilon = testing::epsilon_of(epsilon)};
    question.table.path = file.path();
    question.table.secret = {"s"};
    question.table.published = released;
    question.table.known = known;
    return calibrate(scenario_from_table(question, {}), method, "laplace");
  }
};

// What somebody does to the rows of a right release, who has the original's.
using Change = std::function<void(const Rows& original, Rows& released)>;

Audit audited(const Case& one, const Change& change, const Rational& confidence = kSure) {
  MemoryFile out;
  release_rows(one.plan, one.file.path(), out.descriptor());
  std::ifstream in(out.path());
  Rows released = testing::rows_of(in);
  change(one.rows, released);
  TempFile file(csv(one.written(), released));
  return audit(one.plan, ReleasedFiles{file.path(), one.file.path()},
               {.draws = 100, .confidence = confidence}, {});
}

void expect_caught(const Case& one, const Change& change, const std::string& check,
                   const std::string& says = "") {
  for (int run = 0; run < kRuns; ++run) {
    const Audit found = audited(one, change);
    const auto& fault = check_named(found, check).fault;
    ASSERT_TRUE(fault) << check;
    EXPECT_NE(fault->find(says), std::string::npos) << *fault;
    EXPECT_TRUE(found.finding());
  }
}

void as_it_is(const Rows&, Rows&) {}

Case numbers(size_t rows = 2'000, const std::string& epsilon = "0.5") {
  return Case({"x"}, two_secrets(rows, 1), epsilon);
}
Case letters(size_t rows = 2'000, const std::string& epsilon = "0.3") {
  return Case({"x"}, two_secrets(rows, 1, true), epsilon, "randomized-response");
}
Case pairs_of_numbers(size_t rows = 2'000) { return Case({"x", "y"}, two_secrets(rows, 2), "0.5"); }

// Two strata that are known: in v the secrets are nearer to one another, so that fewer rows move.
Case strata(size_t rows = 2'000, const std::string& epsilon = "0.3") {
  Rows table = two_secrets(rows, 1, true);
  for (size_t row = 0; row < rows; ++row) {
    table[row].emplace_back(row % 2 == 0 ? "u" : "v");
    if (row % 8 == 1) table[row][0] = table[row][0] == "a" ? "b" : "a";
  }
  return Case({"x"}, table, epsilon, "swap", {"k"});
}

// The outputs of each value, within its stratum, go to its rows anew: those that come first by `rank` to
// those of the secret a.
Change dealt(const std::function<int64_t(const std::string&)>& rank) {
  return [rank](const Rows& original, Rows& released) {
    std::map<std::vector<std::string>, std::vector<size_t>> places;
    for (size_t row = 0; row < original.size(); ++row)
      places[{original[row].begin() + 1, original[row].end()}].push_back(row);
    for (auto& [value, rows] : places) {
      std::vector<std::string> outputs;
      for (size_t row : rows) outputs.push_back(released[row][0]);
      std::stable_sort(outputs.begin(), outputs.end(),
                       [&](const std::string& a, const std::string& b) { return rank(a) < rank(b); });
      std::stable_sort(rows.begin(), rows.end(),
                       [&](size_t a, size_t b) { return original[a][0] < original[b][0]; });
      for (size_t k = 0; k < rows.size(); ++k) released[rows[k]][0] = outputs[k];
    }
  };
}

// The law of the file stays as it is. The values of a are the lower ones: a gets the high outputs.
TEST(AuditFileFault, OutputsInTheOrderOfTheSecretAreCaughtByTheSecrets) {
  expect_caught(numbers(), dealt([](const std::string& text) { return -std::stoll(text); }), "secrets",
                "outputs of ");
  expect_caught(letters(2'000, "0.1"), dealt([](const std::string& text) { return -text[0]; }), "secrets",
                "outputs of ");
}

TEST(AuditFileFault, OutputsInTheOrderOfTheSecretContradictThePromise) {
  const Change high_for_a = dealt([](const std::string& text) { return -std::stoll(text); });
  const Case much_noise = numbers(2'000, "0.1");
  for (int run = 0; run < kRuns; ++run) EXPECT_TRUE(audited(much_noise, high_for_a).contradicts());
}

// Neither half lines nor right draws show it: only an event that is chosen on the file.
TEST(AuditFileFault, EvenOutputsForOneSecretContradictThePromise) {
  const Change even_for_a = dealt([](const std::string& text) { return std::abs(std::stoll(text) % 2); });
  const Case one = numbers(4'000, "0.2");
  for (int run = 0; run < kRuns; ++run) {
    const Audit found = audited(one, even_for_a);
    EXPECT_TRUE(found.contradicts());
    EXPECT_FALSE(check_named(found, "law").fault);
  }
}

// What is promised within a stratum is tested there.
TEST(AuditFileFault, OddOutputsForOneSecretInAStratumContradictThePromise) {
  const Change odd_for_a = dealt([](const std::string& text) { return 1 - text.back() % 2; });
  const Case one = strata(8'000, "0.2");
  for (int run = 0; run < kRuns; ++run) {
    const Audit found = audited(one, odd_for_a);
    EXPECT_TRUE(found.contradicts());
    EXPECT_FALSE(check_named(found, "law").fault);
  }
}

// Every seventh row is released as it is.
TEST(AuditFileFault, RowsThatAreKeptAreCaughtByTheLaw) {
  const Change keep = [](const Rows& original, Rows& released) {
    for (size_t row = 0; row < released.size(); row += 7) released[row][0] = original[row][1];
  };
  expect_caught(numbers(), keep, "law", "that are the value itself");
}

// y has the noise that x has some rows before.
Change noise_of_x(size_t distance) {
  return [distance](const Rows& original, Rows& released) {
    for (size_t row = distance; row < released.size(); ++row) {
      const auto noise = std::stoll(released[row - distance][0]) - std::stoll(original[row - distance][1]);
      released[row][1] = std::to_string(std::stoll(original[row][2]) + noise);
    }
  };
}

TEST(AuditFileFault, NoiseOfAnotherColumnIsCaughtByTheRows) {
  expect_caught(pairs_of_numbers(), noise_of_x(0), "rows", "rows of column 'x' and of column 'y' ");
}

TEST(AuditFileFault, NoiseOfAnotherColumnInTheRowBeforeIsCaughtByTheRows) {
  expect_caught(pairs_of_numbers(), noise_of_x(1), "rows", "rows of column 'x' and of column 'y' 1 apart");
}

// Every second row of a value gets the output of the one before.
void remembered(const Rows& original, Rows& released) {
  std::map<std::string, std::string> last;
  for (size_t row = 0; row < original.size(); ++row) {
    const auto [found, fresh] = last.try_emplace(original[row][1], released[row][0]);
    if (fresh) continue;
    released[row][0] = found->second;
    last.erase(found);
  }
}

TEST(AuditFileFault, OutputsRememberedByValueAreCaughtByTheRows) {
  for (const Case& one : {numbers(), letters()})
    expect_caught(one, remembered, "rows", "with the same value, 1 apart");
}

// Raw values that have just the promised odds, three or five rows of each: the half that is tested has one or
// two of them, and looks as if the odds were two to one.
TEST(AuditFileFalseAlarm, HalvesOfOddNumbersOfRowsSayNoMoreThanIsThere) {
  Rows rows;
  for (int value = 1; value <= 400; ++value) {
    for (int k = 0; k < 8; ++k)
      rows.push_back({(k < 5) == (value <= 200) ? "a" : "b", std::to_string(value)});
  }
  const Case one({"x"}, rows, "0.511");  // log(5/3) is a little less
  ASSERT_TRUE(one.plan.noise().is_none());
  for (int run = 0; run < 20; ++run) EXPECT_FALSE(audited(one, as_it_is, Rational(1, 2)).finding());
}

// At confidence 1/2: 100 runs with more than 80 alarms have probability below 1e-9 at the stated rate.
TEST(AuditFileFalseAlarm, IsNotAboveTheStatedRate) {
  for (const Case& one : {numbers(200), letters(200), pairs_of_numbers(200), strata(400)}) {
    int alarms = 0;
    for (int run = 0; run < 100; ++run) alarms += audited(one, as_it_is, Rational(1, 2)).finding() ? 1 : 0;
    EXPECT_LE(alarms, 80);
    RecordProperty("alarms", alarms);
  }
}

// A thousand right files, where the faults are caught: by proof at most one alarm in a million.
void expect_no_alarms(const Case& one, int runs) {
  for (int run = 0; run < runs; ++run) EXPECT_FALSE(audited(one, as_it_is).finding());
}

TEST(AuditFileFalseAlarm, NoneWhereTheFaultsAreCaught) { expect_no_alarms(numbers(200), 600); }

TEST(AuditFileFalseAlarm, NoneInStrataWhereTheFaultsAreCaught) { expect_no_alarms(strata(400), 300); }

TEST(AuditFileFalseAlarm, NoneOfSeveralColumnsWhereTheFaultsAreCaught) {
  expect_no_alarms(pairs_of_numbers(200), 400);
}

}  // namespace
}  // namespace fugu
