// The methods: each finds a scale at which the family's noise attains epsilon, by a theorem or by search.
//
// Every scale is rounded outward. What a method returns is not believed by anyone: calibrate() proves the noise that
// will be drawn with the verifier before it makes a plan.
#pragma once

#include <span>
#include <string_view>

#include "fugu/core/progress.h"
#include "fugu/mechanism/family.h"
#include "fugu/scenario/scenario.h"

namespace fugu {

// The question a method answers, and what it may lean on.
struct Task {
  const Scenario& scenario;
  const NoiseFamily& family;
  const Progress& progress;
};

// docs/math.md, section 2: the range of the values over epsilon.
Scale sensitivity_scale(const Task& task);
// Section 3, Theorem 1 (and Lemma 1): the farthest that the transport plan moves mass, over epsilon.
Scale kantorovich_scale(const Task& task);
// Section 4, Theorem 2: the plan's cost averaged over each row and column.
Scale relaxed_scale(const Task& task);
// Section 4, ours: the same with the harmonic mean; never more than Theorem 2.
Scale harmonic_scale(const Task& task);
// Section 5, ours: the least noise of the family.
Scale exact_scale(const Task& task);

struct Method {
  std::string_view name;
  std::string_view title;  // for tables read by people
  Scale (*scale)(const Task& task);
};

// In the order of the paper: from the most noise to the least.
std::span<const Method> methods();

// Error (usage) listing the methods for an unknown name.
const Method& method_named(std::string_view name);

}  // namespace fugu
