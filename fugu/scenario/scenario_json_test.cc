#include "fugu/scenario/scenario_json.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "fugu/law/promise_words.h"
#include "fugu/scenario/columns.h"
#include "tests/support/random_scenario.h"

namespace fugu {
namespace {

Scenario read(const std::string& text, const ScenarioOverrides& overrides = {}) {
  return scenario_from_json(parse_json(text, "s.json"), "s.json", overrides);
}

const std::string kHead = R"({"epsilon": 0.5, "priors": [{"name": "p", "given": )";

std::string with(const std::string& given, const std::string& rest = "") {
  return kHead + given + "}]" + rest + "}";
}

std::string error_of(const std::string& text, ErrorKind kind = ErrorKind::kData) {
  try {
    read(text);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.message();
    EXPECT_FALSE(error.hint().empty());
    return error.message();
  }
  return "no error";
}

TEST(ScenarioJson, LiteralsAreExact) {
  Scenario scenario = read(
      with(R"({"A": {"values": [1,2,3], "mass": ["1/3", 0.25, 5]}, "B": {"values": [1], "mass": [1]}})"));
  const Distribution& a = scenario.priors[0].by_secret[0];
  EXPECT_EQ(a.mass(0), Rational(1, 3) / (Rational(1, 3) + Rational(1, 4) + 5));
  EXPECT_EQ(scenario.epsilon.value(), Rational(1, 2));
  EXPECT_EQ(scenario.lattice, (Lattice{Rational(1), Rational(0)}));
  EXPECT_TRUE(scenario.pairs.is_all());
}

TEST(ScenarioJson, ZeroMassesAreNoAtomsAndDoNotShapeTheLattice) {
  Scenario scenario =
      read(with(R"({"A": {"values": [2, 4, 0.5], "mass": [1, 1, 0]}, "B": {"values": [6], "mass": [1]}})"));
  EXPECT_EQ(scenario.priors[0].by_secret[0].size(), 2u);
  EXPECT_EQ(scenario.lattice.step, 2);
}

TEST(ScenarioJson, CountsStayCounts) {
  Scenario scenario =
      read(with(R"({"A": {"values": [1, 2], "mass": [200, 400]}, "B": {"values": [1], "mass": [7]}})"));
  EXPECT_EQ(scenario.priors[0].by_secret[0].weights().at(1), 400);
}

TEST(ScenarioJson, StepSnapsAndAdds) {
  ScenarioOverrides overrides;
  overrides.step = Rational(1);
  Scenario scenario = read(
      with(R"({"A": {"values": [0.9, 1.1, 2.5], "mass": [1, 1, 2]}, "B": {"values": [1], "mass": [7]}})"),
      overrides);
  const Distribution& a = scenario.priors[0].by_secret[0];
  EXPECT_EQ(std::vector<int64_t>(a.atoms().begin(), a.atoms().end()), (std::vector<int64_t>{1, 3}));
  EXPECT_EQ(a.mass(0), Rational(1, 2));
}

RC_GTEST_PROP(ScenarioJsonProperty, ReadsBackEqual, ()) {
  Scenario scenario = testing::random_scenario(20, 5);
  Scenario again = scenario_from_json(parse_json(scenario_to_json(scenario).pretty(), "x"), "x");
  RC_ASSERT(again == scenario);
}

TEST(ScenarioJson, Errors) {
  const std::string a = R"({"A": {"values": [1], "mass": [1]}, )";
  auto b = [&](const std::string& inside) { return error_of(with(a + "\"B\": " + inside + "}")); };
  EXPECT_EQ(b(R"({"values": [1], "mass": [-1]})"),
            R"(s.json.priors[0].given[1].mass[0]: a mass is negative)");
  EXPECT_EQ(b(R"({"values": [1,2], "mass": [0,0]})"), R"(s.json.priors[0].given[1]: all masses are zero)");
  EXPECT_EQ(b(R"({"values": [], "mass": []})"), R"(s.json.priors[0].given[1]: all masses are zero)");
  EXPECT_EQ(b(R"({"values": [1], "mass": ["x"]})"),
            R"(s.json.priors[0].given[1].mass[0]: this is not a number that fugu can use)");
  EXPECT_EQ(b(R"({"values": [1], "mass": ["inf"]})"),
            R"(s.json.priors[0].given[1].mass[0]: this is not a number that fugu can use)");
  EXPECT_EQ(b(R"({"values": [1], "mass": ["1/0"]})"),
            R"(s.json.priors[0].given[1].mass[0]: this is not a number that fugu can use)");
  EXPECT_EQ(b(R"({"values": [1,2], "mass": [1]})"), R"(s.json.priors[0].given[1]: 2 values but 1 masses)");
  EXPECT_EQ(b(R"({"values": [1], "mass": [1], "x": 1})"),
            R"(s.json.priors[0].given[1]: the key "x" is unknown)");
  EXPECT_EQ(error_of(with(R"({"A": {"values": [1], "mass": [1]}})")),
            "s.json: there are fewer than two secrets");
  const std::string two = R"({"A": {"values": [1], "mass": [1]}, "B": {"values": [2], "mass": [1]}})";
  EXPECT_EQ(error_of(with(two, R"(, "pairs": [["A","C"]])")), "s.json.pairs: there is no secret 'C'");
  EXPECT_EQ(error_of(with(two, R"(, "pairs": "some")")), "s.json.pairs: the word for pairs is unknown");
  EXPECT_EQ(error_of(with(two, R"(, "pairs": [])")), "s.json.pairs: the list of pairs is empty");
  EXPECT_EQ(error_of(with(two, R"(, "lattice": {"step": 3, "origin": 1})")),
            R"(s.json.priors[0].given[1].values[0]: the value is not on the lattice)");
  EXPECT_EQ(error_of(with(two, R"(, "colour": 1)")), R"(s.json: the key "colour" is unknown)");
  EXPECT_EQ(error_of(with(two, R"(, "source": {"public": ["x", "y"]})")),
            "s.json.source.public: the values are not of so many columns");
  EXPECT_EQ(error_of(R"({"priors": []})", ErrorKind::kUsage), "s.json: no epsilon is given");
  EXPECT_EQ(error_of(R"({"epsilon": 0, "priors": []})"),
            "s.json.epsilon: epsilon must be greater than 0, not 0");
  EXPECT_EQ(error_of(R"({"epsilon": -1, "priors": []})"),
            "s.json.epsilon: epsilon must be greater than 0, not -1");
  EXPECT_EQ(error_of(R"({"epsilon": 1, "priors": []})"), "s.json.priors: there is no prior");
  EXPECT_EQ(error_of(R"({"epsilon": 1, "delta": 1, "priors": []})"),
            "s.json.delta: delta must be at least 0 and below 1, not 1");
}

const std::string kTwoColumns =
    R"({"A": {"values": [[1, 0.5], [3, 2]], "mass": [1, 2]}, "B": {"values": [[1, 2], [9, 9]], "mass": [5, 0]}})";

TEST(ScenarioJson, SeveralColumnsAreJointValues) {
  const Scenario scenario = read(with(kTwoColumns, R"(, "weights": [2, "1/3"])"));
  ASSERT_EQ(scenario.axes.size(), 2U);
  EXPECT_EQ(scenario.axes[0].lattice, (Lattice{Rational(2), Rational(1)}));
  EXPECT_EQ(scenario.axes[1].lattice, (Lattice{Rational(3, 2), Rational(1, 2)}));
  EXPECT_EQ(scenario.points, (std::vector<Point>{{0, 0}, {0, 1}, {1, 1}}));  // mass 0 is no value
  EXPECT_EQ(scenario.priors[0].by_secret[0], Distribution::from_counts({0, 2}, {1, 2}));
  EXPECT_EQ(scenario.axes[1].weight, Rational(1, 3));
  EXPECT_EQ(scenario_from_json(scenario_to_json(scenario), "again"), scenario);
  const Scenario second = scenario.column(1);
  EXPECT_EQ(second.lattice.step, Rational(3, 2));
  EXPECT_EQ(second.priors[0].by_secret[0], Distribution::from_counts({0, 1}, {1, 2}));
  EXPECT_EQ(point_text(scenario, {1, 0}), "3, 0.5");
}

TEST(ScenarioJson, SeveralColumnsWithLabelsAndSteps) {
  const Scenario scenario = read(with(
      R"({"A": {"values": [[1, 10], [2, 20]], "mass": [1, 2]}, "B": {"values": [[2, 20]], "mass": [1]}})",
      R"(, "source": {"public": ["x", "y"], "labels": [["u", "v"], []], "step": [null, 10]})"));
  EXPECT_EQ(scenario.source->columns[0].labels, (std::vector<std::string>{"u", "v"}));
  EXPECT_EQ(scenario.source->columns[1].step, Rational(10));
  EXPECT_EQ(point_text(scenario, scenario.points[1]), "v, 20");
  EXPECT_EQ(scenario_from_json(scenario_to_json(scenario), "again"), scenario);
  EXPECT_TRUE(scenario.column(0).clamps());
  EXPECT_FALSE(scenario.column(1).clamps());
}

// The mean distance from the median, to two digits: 0, 0, 4, 100 gives 26; a column of one value its step.
TEST(ScenarioJson, WeightsAreBySpreadWhenNotGiven) {
  const Scenario scenario = read(with(
      R"({"A": {"values": [[0, 7], [4, 7]], "mass": [2, 1]}, "B": {"values": [[100, 7]], "mass": [1]}})"));
  EXPECT_EQ(scenario.axes[0].weight, 26);
  EXPECT_EQ(scenario.axes[1].weight, 1);
}

TEST(ScenarioJson, ErrorsOfSeveralColumns) {
  auto given = [](const std::string& values) {
    return with(R"({"A": {"values": [[1, 2]], "mass": [1]}, "B": {"values": )" + values +
                R"(, "mass": [1]}})");
  };
  const std::string kDiffer = "s.json.priors: the values do not all have the same columns";
  EXPECT_EQ(error_of(given("[1]")), kDiffer);
  EXPECT_EQ(error_of(given("[[1, 2, 3]]")), kDiffer);
  EXPECT_EQ(error_of(given("[[1, 2, 3, 4, 5]]")),
            "s.json.priors: the values do not all have the same columns");
  EXPECT_EQ(error_of(given("[[1]]")), "s.json.priors: a value has 1 columns");
  EXPECT_EQ(error_of(given("[[1, \"x\"]]")),
            R"(s.json.priors[0].given[1].values: this is not a number that fugu can use)");
  EXPECT_EQ(error_of(with(kTwoColumns, R"(, "weights": [1])")),
            "s.json.weights: there is not one item for each column");
  EXPECT_EQ(error_of(with(kTwoColumns, R"(, "weights": [1, -1])")),
            "s.json.weights: '-1' is not a number greater than 0");
  EXPECT_EQ(error_of(with(kTwoColumns, R"(, "lattice": [{"step": 1}])")),
            "s.json.lattice: there is not one item for each column");
  EXPECT_EQ(error_of(with(kTwoColumns, R"(, "lattice": [{"step": 1}, {"step": 1}])")),
            R"(s.json.priors[0].given[0].values[0]: the value is not on the lattice)");
  EXPECT_EQ(error_of(with(R"({"A": {"values": [1], "mass": [1]}, "B": {"values": [2], "mass": [1]}})",
                          R"(, "weights": [1])")),
            "s.json.weights: there is one column");
}

// Errors weigh masses as they were written, however long their common denominator: here a secret of mass 2
// with thirds and one of mass 1 with 2^-70.
TEST(ScenarioJson, ProportionsOfSecretsStayAsWritten) {
  const Scenario scenario = read(with(
      R"({"A": {"values": [1, 2], "mass": ["1/3486784401", "6973568801/3486784401"]},
          "B": {"values": [2, 3],
                "mass": ["1/1180591620717411303424", "1180591620717411303423/1180591620717411303424"]}})"));
  const auto& given = scenario.priors[0].by_secret;
  EXPECT_EQ(Rational(given[0].total()), Rational(2) * Rational(given[1].total()));
  const auto people = scenario.population({1, 2, 3});
  const Integer all = people[0] + people[1] + people[2];
  EXPECT_EQ(Rational(people[0], all), Rational(1, 3) / Rational(Integer("3486784401")));
  EXPECT_EQ(scenario_from_json(scenario_to_json(scenario), "s"), scenario);
}

TEST(Budget, InWords) {
  EXPECT_EQ(in_words(testing::epsilon_of("0.5")),
            "a 50 % belief in either of two secrets becomes at most 62.3 %");
  EXPECT_EQ(in_words(testing::epsilon_of("10")),
            "a 50 % belief in either of two secrets becomes at most 99.996 %");
  EXPECT_EQ(in_words(testing::epsilon_of("99")),
            "a 50 % belief in either of two secrets may become near certainty");
}

TEST(Budget, InWordsOfTwoSecretsAndOfMore) {
  Claim claim{testing::epsilon_of("0.5")};
  EXPECT_EQ(in_words(claim), in_words(testing::epsilon_of("0.5"))) << "how many there are is not known";
  claim.secrets = {"a", "b"};
  EXPECT_EQ(in_words(claim), "a 50 % belief in any secret becomes at most 62.3 %");
  claim.secrets.emplace_back("c");
  EXPECT_EQ(in_words(claim), "a 50 % belief in any secret becomes at most 62.3 %");
  claim.own_budgets = {{2, {}, testing::epsilon_of("0.1")}};
  EXPECT_EQ(in_words(claim),
            "a 50 % belief in either of two secrets becomes at most 62.3 %; where 'c' is one of the two, "
            "becomes at most 52.5 %");
  claim.own_budgets.clear();
  claim.pairs = PairSet::of({{0, 1}});
  EXPECT_EQ(in_words(claim),
            "a 50 % belief in either secret of a listed pair (and in no third) becomes at most 62.3 %");
}

}  // namespace
}  // namespace fugu
