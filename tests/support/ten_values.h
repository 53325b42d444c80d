// A scenario of ten values and two secrets whose laws differ; counts as a table would have them.
#pragma once

#include <string>

#include "tests/support/random_scenario.h"

namespace fugu::testing {

inline Scenario ten_values(bool clamp, const std::string& epsilon = "0.5") {
  Scenario scenario{epsilon_of(epsilon)};
  scenario.secrets = {"a", "b"};
  scenario.priors.push_back(
      {"empirical",
       {Distribution::from_counts({0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, {9, 20, 45, 80, 90, 70, 50, 30, 5, 1}),
        Distribution::from_counts({0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, {30, 40, 60, 70, 60, 50, 40, 30, 15, 5})}});
  scenario.source.emplace();
  scenario.source->secret = {"s"};
  scenario.source->published = {"x"};
  scenario.source->clamp = clamp;
  return scenario;
}

}  // namespace fugu::testing
