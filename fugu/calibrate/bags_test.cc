// Several rows of a person, from a table to what is released, against the definition in exact rationals.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>

#include "fugu/calibrate/calibrate.h"
#include "fugu/calibrate/methods.h"
#include "fugu/count/table_model.h"
#include "fugu/plan/one_row.h"
#include "fugu/scenario/bags.h"
#include "fugu/verify/verify.h"
#include "tests/support/exp_bounds.h"
#include "tests/support/random_scenario.h"
#include "tests/support/temp_file.h"

namespace fugu {
namespace {

using People = std::vector<std::pair<std::string, std::vector<Point>>>;  // secret, rows

People random_people(size_t columns, int64_t width) {
  People people;
  const size_t count = *rc::gen::inRange<size_t>(2, 6);
  for (const char* secret : {"a", "b"}) {
    for (size_t p = 0; p < count; ++p) {
      std::vector<Point> rows(*rc::gen::inRange<size_t>(1, 4));
      if (p == 0) rows.resize(2);  // so that two rows are released of somebody with each secret
      for (Point& row : rows) {
        for (size_t c = 0; c < columns; ++c) row.push_back(*rc::gen::inRange<int64_t>(0, width));
      }
      people.emplace_back(secret, std::move(rows));
    }
  }
  return people;
}

std::string table_of_people(const People& people, size_t columns) {
  std::string text = columns == 1 ? "who,s,x\n" : "who,s,x,y\n";
  for (size_t p = 0; p < people.size(); ++p) {
    for (const Point& row : people[p].second) {
      text += "p" + std::to_string(p) + "," + people[p].first;
      for (int64_t value : row) text += "," + std::to_string(value);
      text += "\n";
    }
  }
  return text;
}

Scenario scenario_of_people(const People& people, size_t columns, uint64_t most) {
  const TempFile file(table_of_people(people, columns));
  TableQuestion question{.table = {.path = file.path(), .secret = {"s"}, .published = {"x"}},
                         .epsilon = testing::epsilon_of("0.7")};
  if (columns == 2) question.table.published = {"x", "y"};
  question.table.person = "who";
  question.table.person_seed = std::string(64, '7');
  question.table.rows_per_person = most;
  question.table.least_people = 1;
  return scenario_from_table(question, {});
}

// P(the released rows are these, in any order | s), up to a factor that is the same for every secret.
Rational mass_of_rows(const Scenario& scenario, const Prior& prior, const Distribution& law,
                      const JointNoise& noise, std::vector<Point> released) {
  const size_t columns = scenario.released_columns();
  Rational sum(0);
  std::sort(released.begin(), released.end());
  do {
    for (size_t k = 0; k < law.size(); ++k) {
      const Point& bag = scenario.points[static_cast<size_t>(law.atoms()[k])];
      Rational mass = law.mass(k);
      for (size_t row = 0; row < rows_of(prior); ++row) {
        for (size_t c = 0; c < columns; ++c) {
          for (int64_t steps = std::llabs(released[row][c] - bag[row * columns + c]); steps > 0; --steps)
            mass *= noise.columns[c].tail.value();
        }
      }
      sum += mass;
    }
  } while (std::next_permutation(released.begin(), released.end()));
  return sum;
}

// The largest ratio over all that may be released within a window.
Rational worst_ratio(const Scenario& scenario, const JointNoise& noise, int64_t low, int64_t high) {
  Rational worst(1);
  const size_t columns = scenario.released_columns();
  for (const Prior& prior : scenario.priors) {
    Point at(rows_of(prior) * columns, low);
    for (;;) {
      std::vector<Point> rows;
      for (size_t row = 0; row < rows_of(prior); ++row)
        rows.emplace_back(at.begin() + static_cast<ptrdiff_t>(row * columns),
                          at.begin() + static_cast<ptrdiff_t>((row + 1) * columns));
      if (std::is_sorted(rows.begin(), rows.end())) {
        const Rational a = mass_of_rows(scenario, prior, prior.by_secret[0], noise, rows),
                       b = mass_of_rows(scenario, prior, prior.by_secret[1], noise, rows);
        if (a != b) worst = std::max({worst, Rational(a / b), Rational(b / a)});
      }
      size_t c = 0;
      for (; c < at.size() && ++at[c] > high; ++c) at[c] = low;
      if (c == at.size()) break;
    }
  }
  return worst;
}

void keep_the_promise(size_t columns, int64_t width, uint64_t most, int64_t margin) {
  const People people = random_people(columns, width);
  const Scenario scenario = scenario_of_people(people, columns, most);
  RC_ASSERT(fault_of_bags(scenario) == "");
  for (const char* method : {"exact", "harmonic", "kantorovich", "sensitivity"}) {
    const Plan plan = calibrate(scenario, method, "laplace");
    RC_ASSERT(verify(plan_from_json(parse_json(plan_to_json(plan).pretty(), "plan"), "plan")) ==
              plan.witness);
    const Rational ratio =
        worst_ratio(scenario, std::get<JointNoise>(plan.mechanism), -margin, width - 1 + margin);
    RC_ASSERT(ratio <= testing::exp_bounds(scenario.epsilon.value()).high);
  }
}

RC_GTEST_PROP(BagsProperty, RowsInAnyOrderKeepThePromise, ()) { keep_the_promise(1, 4, 2, 2); }
RC_GTEST_PROP(BagsProperty, ThreeRowsInAnyOrderKeepThePromise, ()) { keep_the_promise(1, 3, 3, 1); }
RC_GTEST_PROP(BagsProperty, RowsOfTwoColumnsKeepThePromise, ()) { keep_the_promise(2, 2, 2, 1); }

// Without the noise of all rows being counted together the promise would break: the test above sees it.
TEST(Bags, NoiseForOneRowIsNotEnoughForTwo) {
  People people;
  for (int k = 0; k < 4; ++k) {
    people.push_back({"a", {{k % 2}, {k % 2}}});
    people.push_back({"b", {{0}, {1}}});
  }
  const Scenario scenario = scenario_of_people(people, 1, 2);
  const Plan both = calibrate(scenario, "exact", "laplace");
  const Scenario row = one_row(scenario);
  EXPECT_EQ(calibrate(row, "exact", "laplace").noise().scale->value, 0);  // half of the rows are 1 with each
  EXPECT_GT(std::get<JointNoise>(both.mechanism).scale.value, 0.5);
  EXPECT_EQ(one_row(both).noise(), std::get<JointNoise>(both.mechanism).columns.front());
}

TEST(Bags, PlansThatWereChangedAreRefused) {
  People people;
  for (int k = 0; k < 12; ++k)
    people.push_back({k % 2 == 0 ? "a" : "b", std::vector<Point>(1 + k % 3, {(k / 2) % 4})});
  const Plan plan = calibrate(scenario_of_people(people, 1, 3), "exact", "laplace");
  ASSERT_EQ(plan.scenario.rows_per_person(), 3U);
  ASSERT_NO_THROW(verify(plan));
  auto refuses = [&](auto change) {
    Plan other = plan;
    change(other);
    other.assumptions = assumptions_of(other);
    EXPECT_THROW(verify(other), Error);
  };
  refuses([](Plan& other) { other.scenario.source->person->rows = 1; });
  refuses([](Plan& other) { other.scenario.source->person->rows = 2; });
  refuses([](Plan& other) { other.scenario.priors.pop_back(); });
  refuses([](Plan& other) { other.scenario.priors[0].known = {"2"}; });
  refuses([](Plan& other) {
    for (Point& point : other.scenario.points) {
      if (point[1] == 0 && point[2] == 0 && point[0] > 0) point[2] = 1;
    }
  });
  refuses([](Plan& other) { std::get<JointNoise>(other.mechanism).columns[0].tail.numerator /= 2; });
  refuses([](Plan& other) { other.scenario.source->min_group = 1000; });
}

TEST(Bags, TheDefaultIsByTheSizeOfTheGrid) {
  People people;
  for (int64_t k = 0; k < 400; ++k)
    people.push_back({k % 2 == 0 ? "a" : "b", {{k * 37 % 401}, {k * 53 % 409}, {k * 11 % 397}}});
  const Scenario wide = scenario_of_people(people, 1, 3);
  EXPECT_EQ(default_method(wide).method, "harmonic");
  const Plan mean = calibrate(wide, "harmonic", "laplace"), range = calibrate(wide, "sensitivity", "laplace");
  EXPECT_NO_THROW(verify(mean));
  EXPECT_NO_THROW(verify(range));
  EXPECT_LT(one_row(mean).noise().scale->value, 0.6 * one_row(range).noise().scale->value);
  ASSERT_FALSE(mean.notes.empty());
  EXPECT_NE(mean.notes.back().find("too many combinations"), std::string::npos);
  EXPECT_THROW(calibrate(wide, "exact", "laplace"), Error);
  EXPECT_THROW(calibrate(wide, "swap", "laplace"), Error);
  for (auto& [secret, rows] : people) {
    for (Point& row : rows) row[0] = row[0] / 50;
  }
  EXPECT_EQ(default_method(scenario_of_people(people, 1, 3)).method, "exact");
}

}  // namespace
}  // namespace fugu
