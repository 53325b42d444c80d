// What the tests of pictures share: scenarios with known answers, and reading numbers back from JSON.
#pragma once

#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>

#include "fugu/core/json_read.h"
#include "fugu/scenario/scenario_json.h"
#include "tests/support/random_scenario.h"

namespace fugu::testing {

inline Json golden() {
  std::ifstream file(FUGU_SOURCE_DIR "/tests/data/cases.json");
  std::stringstream text;
  text << file.rdbuf();
  return parse_json(text.str(), "cases.json");
}

inline Scenario golden_scenario(const std::string& name, const std::string& epsilon,
                                const std::string& delta = "") {
  ScenarioOverrides overrides;
  overrides.epsilon = epsilon_of(epsilon);
  if (!delta.empty()) overrides.delta = Delta::parse(delta, "test", ErrorKind::kBug);
  return scenario_from_json(*golden().find(name)->find("scenario"), name, overrides);
}

inline const Json& member(const Json& json, const char* key) {
  const Json* found = json.find(key);
  if (!found) throw std::runtime_error(std::string("no member ") + key);
  return *found;
}
inline const Json::Array& items(const Json& json, const char* key) { return *member(json, key).if_array(); }
inline double number(const Json& json) { return static_cast<double>(need_number(json, "test")); }
inline double number(const Json& json, const char* key) { return number(member(json, key)); }
inline std::string text(const Json& json, const char* key) { return *member(json, key).if_string(); }
inline const Json::Array& first_outputs(const Json& loss) {
  return items(items(loss, "columns")[0], "outputs");
}

// People with three occupations, and one that nobody has.
inline Scenario jobs(const std::string& epsilon = "0.5") {
  ScenarioOverrides overrides;
  overrides.epsilon = epsilon_of(epsilon);
  return scenario_from_json(parse_json(R"({
    "priors": [{"name": "empirical", "given": {
      "a": {"values": [1, 2, 4], "mass": [7919, 6841, 5003]},
      "b": {"values": [1, 2, 4], "mass": [4001, 8111, 3001]}}}],
    "lattice": {"step": 1, "origin": 0},
    "source": {"secret": ["race"], "public": ["job"], "labels": ["clerk", "cook", "judge", "smith"]}})",
                                       "test"),
                            "test", overrides);
}

}  // namespace fugu::testing
