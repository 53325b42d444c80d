// Every method side by side, for people and for programs.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fugu/calibrate/calibrate.h"
#include "fugu/core/json.h"

namespace fugu {

// The candidates of one budget, as compare() returns them.
struct Comparison {
  Epsilon epsilon;
  Delta delta;
  std::vector<Candidate> candidates;  // not empty
  // The same methods with a confidence, where one is asked for.
  std::optional<Rational> confidence = {};
  std::vector<Candidate> robust = {};
};

// A heading with epsilon in words, an aligned table, and a plain sentence when no noise is needed.
std::string comparison_text(const Comparison& comparison);

// One budget: {"epsilon", "delta", "candidates": […]}.
Json comparison_to_json(const Comparison& comparison);

}  // namespace fugu
