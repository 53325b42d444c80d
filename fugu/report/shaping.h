// What shaping a column does to the error, and when it is worth a try (docs/shaping.md).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fugu/core/json.h"
#include "fugu/count/table_model.h"
#include "fugu/plan/plan.h"
#include "fugu/scenario/scenario.h"

namespace fugu::inline in_report {

// The error of exact Laplace noise at one epsilon; absent where it cannot be calibrated.
struct ShapedError {
  Epsilon epsilon;
  std::optional<double> noise;     // mean square, of the values as shaped
  std::optional<double> unshaped;  // of the values as they are
  // Of noise and shaping together: the noise has mean 0 whatever the value is, so that mean squares add.
  // Absent where numbers became categories.
  std::optional<double> both;
};
// Precondition: something was shaped.
std::vector<ShapedError> shaped_errors(const Scenario& scenario, const BeforeShaping& before,
                                       const std::vector<Epsilon>& epsilons);

// A line for each part of the map, then one for each epsilon.
std::string shaping_text(const BeforeShaping& before, const std::vector<ShapedError>& errors);
// {"steps", "rows_changed", "mse", "exact": […]}.
Json shaping_to_json(const BeforeShaping& before, const std::vector<ShapedError>& errors);

// That noise exceeds the spread of a table's column, and what to try: all empty where it does not.
struct ShapingHint {
  std::string warning;       // without a number of the table, for standard error, which others may log
  std::string what, advice;  // for the owner: they tell quantiles
  // Two lines, "hint: what:\n      advice\n", or nothing.
  std::string text() const;
  // "what: advice" on one line, or nothing.
  std::string sentence() const;
};
// For noise of these mean squares, one for each released column. One column: the advice is a flag, of numbers
// only one that makes the error of the default method, the change included, smaller by a tenth than that of
// exact noise, which takes a few calibrations. Several: which of them it is.
ShapingHint shaping_hint(const Scenario& scenario, const std::vector<double>& mean_squares);
ShapingHint shaping_hint(const Plan& plan);

}  // namespace fugu::inline in_report
