#include "fugu/report/shaping.h"

#include <gtest/gtest.h>

#include "fugu/calibrate/calibrate.h"
#include "fugu/scenario/scenario_json.h"

namespace fugu {
namespace {

Plan plan_by(const std::string& method) {
  const Json json = parse_json(R"({"priors": [{"name": "p", "given": {
      "a": {"values": [0, 1, 2, 3, 90], "mass": [5, 4, 3, 2, 1]},
      "b": {"values": [0, 1, 2, 3, 90], "mass": [1, 2, 3, 4, 5]}}}],
      "source": {"secret": ["s"], "public": ["x"]}})",
                               "test");
  ScenarioOverrides overrides;
  overrides.epsilon = Epsilon::parse("0.1", "test", ErrorKind::kBug);
  return calibrate(scenario_from_json(json, "test", overrides), method, "laplace");
}

// An exact plan is its own comparison; any other is compared with one.
TEST(ShapingHint, OfAPlanIsThatOfItsErrors) {
  for (const char* method : {"exact", "kantorovich"}) {
    const Plan plan = plan_by(method);
    const ShapingHint hint = shaping_hint(plan.scenario, column_errors(plan.scenario, plan.mechanism));
    EXPECT_NE(hint.what, "") << method;
    EXPECT_EQ(shaping_hint(plan).sentence(), hint.sentence()) << method;
  }
}

}  // namespace
}  // namespace fugu
