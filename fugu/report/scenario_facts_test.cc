#include "fugu/report/scenario_facts.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "fugu/core/json.h"
#include "fugu/scenario/scenario_json.h"
#include "fugu/transport/coupling.h"

namespace fugu {
namespace {

Scenario scenario_of(const std::string& text) { return scenario_from_json(parse_json(text, "test"), "test"); }

TEST(ScenarioFacts, NameTheFarthestPairs) {
  const Scenario scenario = scenario_of(R"({"epsilon": 0.5, "priors": [{"name": "p", "given": {
      "a": {"values": [0, 1], "mass": [1, 1]},
      "b": {"values": [0, 1], "mass": [3, 1]},
      "c": {"values": [0, 5], "mass": [1, 1]}}}]})");
  const ScenarioFacts facts = facts_of(scenario);
  EXPECT_EQ(facts.secrets, 3U);
  EXPECT_EQ(facts.values, 3U);
  EXPECT_EQ(facts.pairs, 3U);
  EXPECT_EQ(facts.w_inf.distance, 5);  // a quarter of b moves from 0 to 5
  EXPECT_EQ(facts.w_inf.pair, (std::pair<std::string, std::string>("b", "c")));
  EXPECT_EQ(facts.range.distance, 5);
  EXPECT_EQ(facts.range.pair, (std::pair<std::string, std::string>("a", "c")));
  EXPECT_EQ(facts_text(scenario, facts, TableCounts{1234, 10}),
            "Read 1,234 rows, dropped 10 with a missing field.\n"
            "3 secrets, 3 values, 3 pairs.\n"
            "Farthest that mass must move (W_inf): 5, between b and c.\n"
            "Farthest that two values lie apart (range): 5, between a and c.\n");
}

TEST(ScenarioFacts, KeepToTheListedPairs) {
  const Scenario scenario =
      scenario_of(R"({"epsilon": 0.5, "pairs": [["a", "b"]], "priors": [{"name": "p", "given": {
      "a": {"values": [0, 1], "mass": [1, 1]},
      "b": {"values": [0, 1], "mass": [1, 3]},
      "c": {"values": [0, 50], "mass": [1, 1]}}}]})");
  const ScenarioFacts facts = facts_of(scenario);
  EXPECT_EQ(facts.w_inf.distance, 1);
  EXPECT_EQ(facts.w_inf.pair, (std::pair<std::string, std::string>("a", "b")));
  EXPECT_EQ(facts.pairs, 1U);
}

RC_GTEST_PROP(ScenarioFactsProperty, TheNamedPairAttainsTheDistance, ()) {
  Scenario scenario{Epsilon::parse("1", "test", ErrorKind::kBug)};
  scenario.priors.push_back({"p", {}});
  const auto secrets = *rc::gen::inRange<size_t>(2, 9);
  for (size_t s = 0; s < secrets; ++s) {
    scenario.secrets.push_back(std::to_string(s));
    std::vector<int64_t> atoms{0, 1, 3, 9};
    auto counts = *rc::gen::container<std::vector<uint64_t>>(atoms.size(), rc::gen::inRange<uint64_t>(0, 5));
    counts[s % atoms.size()] += 1;
    scenario.priors[0].by_secret.push_back(Distribution::from_counts(atoms, counts));
  }
  const ScenarioFacts facts = facts_of(scenario);
  const auto& given = scenario.priors[0].by_secret;
  int64_t largest = 0;
  for (size_t a = 0; a < secrets; ++a) {
    for (size_t b = a + 1; b < secrets; ++b) largest = std::max(largest, w_inf(given[a], given[b]));
  }
  RC_ASSERT(facts.w_inf.distance == largest);
  const auto a = std::stoul(facts.w_inf.pair.first), b = std::stoul(facts.w_inf.pair.second);
  RC_ASSERT(a < b);
  RC_ASSERT(w_inf(given[a], given[b]) == largest);
}

}  // namespace
}  // namespace fugu
