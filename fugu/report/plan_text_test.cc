#include "fugu/report/plan_text.h"

#include <gtest/gtest.h>

#include "fugu/calibrate/calibrate.h"
#include "fugu/scenario/scenario_json.h"
#include "fugu/verify/verify.h"

namespace fugu {
namespace {

Plan plan_of(const std::string& epsilon) {
  const Json json = parse_json(R"({"priors": [{"name": "p", "given": {
      "a": {"values": [1, 2], "mass": [1, 3]}, "b": {"values": [1, 2], "mass": [3, 1]}}}],
      "source": {"secret": ["s"], "public": ["x"], "labels": ["low", "high"]}})",
                               "test");
  ScenarioOverrides overrides;
  overrides.epsilon = Epsilon::parse(epsilon, "test", ErrorKind::kBug);
  return calibrate(scenario_from_json(json, "test", overrides), "exact", "laplace");
}

TEST(PlanText, SaysEpsilonInWordsAndTheWitness) {
  const Plan plan = plan_of("0.5");
  const std::string text = plan_text(plan);
  EXPECT_NE(text.find("hides      s in x\n"), std::string::npos);
  EXPECT_NE(text.find("a 50 % belief in any secret becomes at most 62.3 %"), std::string::npos);
  EXPECT_NE(text.find("largest between a and b at output"), std::string::npos);
  EXPECT_EQ(text.find("nan"), std::string::npos);
  EXPECT_NE(plan_summary(plan).find("laplace, scale "), std::string::npos);
}

TEST(PlanText, SaysWhenNoNoiseIsNeeded) {
  const Plan plan = plan_of("2");
  EXPECT_NE(plan_text(plan).find("none: the unchanged column already keeps the promise"), std::string::npos);
}

TEST(PlanText, VerifiedHasThePromisedKeys) {
  const Plan plan = plan_of("0.5");
  const Witness witness = verify(plan);
  const Json json = verified_to_json(plan, witness);
  ASSERT_NE(json.find("verified"), nullptr);
  EXPECT_TRUE(*json.find("verified")->if_boolean());
  for (const char* key : {"epsilon", "delta", "loss", "prior", "pair", "output"})
    EXPECT_NE(json.find(key), nullptr) << key;
  EXPECT_NE(verified_text(plan, witness).find("The plan is proved"), std::string::npos);
}

}  // namespace
}  // namespace fugu
