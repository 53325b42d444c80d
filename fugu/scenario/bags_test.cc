#include "fugu/scenario/bags.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "fugu/core/json_read.h"
#include "fugu/scenario/scenario_json.h"

namespace fugu {
namespace {

// Of one column, two rows at most: somebody with one row of 3; bags of two rows.
const char* const kBags =
    R"({"epsilon": 1, "lattice": [{"step": 1, "origin": 0}, {"step": 1, "origin": 0}], "weights": [1, 1],
  "source": {"secret": ["s"], "public": ["x"], "min_group": 1, "person": {"column": "who", "rows": 2, "seed": "SEED"}},
  "priors": [
    {"name": "1 row", "known": ["1"], "given": {"a": {"values": [[3, 2]], "mass": [2]}, "b": {"values": [[2, 2], [3, 2]], "mass": [1, 4]}}},
    {"name": "2 rows", "known": ["2"], "given": {"a": {"values": [[2, 3], [3, 3]], "mass": [5, 6]}, "b": {"values": [[2, 2]], "mass": [7]}}}]})";

std::string with_seed(std::string text) { return text.replace(text.find("SEED"), 4, std::string(64, '0')); }

Scenario bags_from(const std::string& text) {
  return scenario_from_json(parse_json(with_seed(text), "s.json"), "s.json");
}

std::string bags_with(std::string text, const std::string& from, const std::string& to) {
  EXPECT_NE(text.find(from), std::string::npos);
  return text.replace(text.find(from), from.size(), to);
}

TEST(Bags, AreWrittenAndReadAgain) {
  const Scenario scenario = bags_from(kBags);
  EXPECT_EQ(scenario.rows_per_person(), 2U);
  EXPECT_EQ(scenario.released_columns(), 1U);
  EXPECT_EQ(scenario.source->columns.size(), 2U);
  EXPECT_EQ(scenario_from_json(parse_json(scenario_to_json(scenario).pretty(), "s.json"), "s.json"),
            scenario);
}

TEST(Bags, ARowCountsEachPersonOnceForEachValue) {
  const Scenario row = one_row(bags_from(kBags));
  EXPECT_FALSE(row.is_joint());
  EXPECT_EQ(row.rows_per_person(), 1U);
  // Of secret a with two rows 5 people have a 2, and all 11 a 3; padding is nobody's.
  EXPECT_EQ(row.priors[1].by_secret[0], Distribution::from_counts({2, 3}, {5, 11}));
  EXPECT_EQ(row.priors[0].by_secret[0], Distribution::from_counts({3}, {2}));
  EXPECT_EQ(row.people({2, 3}), (std::vector<Integer>{1 + 5 + 7, 2 + 4 + 11}));
  EXPECT_EQ(released_column(bags_from(kBags), 0), row);
}

TEST(Bags, OfSeveralColumnsEachCountsPeopleByItself) {
  Scenario scenario{Epsilon::parse("1", "", ErrorKind::kData)};
  scenario.source = Source{.secret = {"s"}, .published = {"x", "y"}};
  scenario.source->columns.assign(4, {});
  scenario.source->person = {"who", std::string(64, '0'), 2};
  scenario.secrets = {"a", "b"};
  scenario.axes.resize(4);
  scenario.points = {{1, 5, 1, 6}, {1, 5, 2, 5}};
  Prior prior{.name = "2 rows",
              .by_secret = {Distribution::from_counts({0}, {3}), Distribution::from_counts({1}, {4})},
              .known = {"2"}};
  scenario.priors = {prior};
  EXPECT_EQ(fault_of_bags(scenario), "");
  EXPECT_EQ(released_column(scenario, 0).priors[0].by_secret[0], Distribution::from_counts({1}, {3}));
  EXPECT_EQ(released_column(scenario, 1).priors[0].by_secret[0], Distribution::from_counts({5, 6}, {3, 3}));
  const Scenario row = one_row(scenario);
  EXPECT_EQ(row.points, (std::vector<Point>{{1, 5}, {1, 6}, {2, 5}}));
  EXPECT_EQ(row.source->published, (std::vector<std::string>{"x", "y"}));
}

TEST(Bags, RefusesWhatIsNotTheRowsOfPeople) {
  const std::pair<const char*, const char*> faults[] = {
      {"[3, 2]], \"mass\": [2]", "[3, 3]], \"mass\": [2]"},  // padding that differs
      {"[2, 3], [3, 3]", "[3, 2], [3, 3]"},                  // rows out of order
      {"\"known\": [\"1\"]", "\"known\": [\"2\"]"},          // two priors of one number
      {"\"known\": [\"2\"]", "\"known\": [\"3\"]"},          // more rows than there are
      {"\"name\": \"1 row\"", "\"name\": \"2 row\""},        // a name of its own
      {"\"known\": [\"1\"], ", ""},                          // no number at all
      {"\"weights\": [1, 1]", "\"weights\": [1, 2]"},        // rows with noise of different scales
      {"\"rows\": 2", "\"rows\": 3"},
      {"\"min_group\": 1", "\"min_group\": 1, \"range\": \"clamp\""},
      {"\"min_group\": 1", "\"min_group\": 1, \"given\": [\"g\"]"},
  };
  for (const auto& [from, to] : faults)
    EXPECT_THROW(bags_from(bags_with(kBags, from, to)), Error) << from << " " << to;
}

// Weights that the file does not have are made from the bags, once these are known to be some.
TEST(Bags, RefusesMoreRowsThanThereAreBeforeItLooksAtThem) {
  const std::string text = R"({"epsilon": 1,
    "source": {"secret": ["s"], "public": ["x", "y"], "person": {"column": "who", "rows": 2, "seed": "SEED"}},
    "priors": [{"name": "2 rows", "known": ["2"], "given": {"a": {"values": [[1, 5, 1, 6]], "mass": [3]}, "b": {"values": [[1, 5, 2, 5]], "mass": [4]}}}]})";
  EXPECT_EQ(bags_from(text).axes.size(), 4U);
  for (const char* known : {"[\"64\"]", "[\"3\"]", "[\"0\"]", "[]", "[\"2\", \"2\"]"})
    EXPECT_THROW(bags_from(bags_with(text, "[\"2\"]", known)), Error) << known;
}

TEST(Bags, PeopleHaveTheLargestNumberThatIsNotAboveTheirs) {
  const RowNumbers numbers(std::vector<uint64_t>{2, 5});
  EXPECT_EQ(numbers.released(1), 0U);
  EXPECT_EQ(numbers.released(2), 2U);
  EXPECT_EQ(numbers.released(4), 2U);
  EXPECT_EQ(numbers.released(9), 5U);
}

}  // namespace
}  // namespace fugu
