#include <gtest/gtest.h>

#include "fugu/scenario/scenario_json.h"

namespace fugu {
namespace {

Scenario numbers() {
  return scenario_from_json(parse_json(R"({"epsilon": 1, "priors": [{"name": "empirical", "given": {
      "A": {"values": [0, 2, 4], "mass": [1, 2, 3]}, "B": {"values": [0, 4], "mass": [1, 1]}}}]})",
                                       "s"),
                            "s");
}

std::string prior_error(const std::string& text) {
  Scenario scenario = numbers();
  try {
    add_priors(scenario, parse_json(text, "p.json"), "p.json");
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kData);
    EXPECT_FALSE(error.hint().empty());
    return error.message();
  }
  return "no error";
}

TEST(PriorJson, SecretsComeInTheScenariosOrderAndMassesStayExact) {
  Scenario scenario = numbers();
  add_priors(scenario,
             parse_json(R"({"given": {"B": {"values": [2], "mass": [5]},
      "A": {"values": [8, -2, 2], "mass": ["1/3", "2/3", 0]}}})",
                        "p"),
             "p");
  ASSERT_EQ(scenario.priors.size(), 2U);
  EXPECT_EQ(scenario.priors[1].name, "prior 2");
  const Distribution& a = scenario.priors[1].by_secret[0];
  EXPECT_EQ(std::vector<int64_t>(a.atoms().begin(), a.atoms().end()), (std::vector<int64_t>{-1, 4}));
  EXPECT_EQ(a.mass(0), Rational(2, 3));
  EXPECT_EQ(scenario_from_json(scenario_to_json(scenario), "x"), scenario);
}

TEST(PriorJson, SnapsWhereTheScenarioWasSnapped) {
  Scenario scenario = numbers();
  scenario.source.emplace().columns[0].step = Rational(2);
  add_priors(scenario,
             parse_json(R"([{"given": {"A": {"values": [2.9], "mass": [1]},
      "B": {"values": [3], "mass": [1]}}}])",
                        "p"),
             "p");
  EXPECT_EQ(scenario.priors[1].by_secret[0].atoms()[0], 1);
  EXPECT_EQ(scenario.priors[1].by_secret[1].atoms()[0], 2);
}

TEST(PriorJson, Errors) {
  const std::string a = R"("A": {"values": [0], "mass": [1]})";
  EXPECT_EQ(prior_error("{\"given\": {" + a + "}}"),
            "p.json.given: the secrets are not those of the scenario");
  EXPECT_EQ(prior_error("[{\"given\": {" + a + R"(, "B": {"values": [1], "mass": [1]}}}])"),
            R"(p.json[0].given[1].values[0]: the value is not on the lattice of the scenario)");
  EXPECT_EQ(prior_error(R"({"priors": [{"given": {)" + a + R"(, "B": {"values": [0], "mass": [-1]}}}]})"),
            R"(p.json.priors[0].given[1].mass[0]: a mass is negative)");
  EXPECT_EQ(prior_error(R"({"priors": []})"), "p.json: there is no prior");
}

}  // namespace
}  // namespace fugu
