// The methods: each finds a scale at which the family's noise attains (epsilon, delta), by a theorem or by
// search.
//
// Every scale is rounded outward. What a method returns is not believed by anyone: calibrate() proves the
// noise that will be drawn with the verifier before it makes a plan, and widens it where the lattice needs
// more.
#pragma once

#include <string_view>
#include <vector>

#include "fugu/core/progress.h"
#include "fugu/mechanism/family.h"
#include "fugu/scenario/scenario.h"

namespace fugu {

// The question a method answers, and what it may lean on.
struct Task {
  const Scenario& scenario;
  const NoiseFamily& family;
  const Progress& progress;
  int64_t farthest;  // steps that mass travels at most: W_inf

  // The noise that would be drawn at that scale.
  Noise drawn(Scale scale) const {
    return family.at(scale, scenario.lattice,
                     family.reach(scale, scenario.lattice, farthest, scenario.delta.value()));
  }
};

// docs/math.md, section 2: the range of the values.
Scale sensitivity_scale(const Task& task);
// Section 3, Theorem 1 (and Lemma 1): the farthest that the transport plan moves mass; with delta, of what is
// not spared. Gaussian, section 6: the analytic condition at that distance.
Scale kantorovich_scale(const Task& task);
// Section 4, Theorem 2: the plan's cost averaged over each row and column. Gaussian: the plan's mean
// hockey-stick.
Scale relaxed_scale(const Task& task);
// Section 4, ours: the same with the harmonic mean; never more than Theorem 2.
Scale harmonic_scale(const Task& task);
// Section 6, Theorem 3 (a), for epsilon up to 1, and (b).
Scale theorem3a_scale(const Task& task);
Scale theorem3b_scale(const Task& task);
// Section 5, ours: the least noise of the family.
Scale exact_scale(const Task& task);

struct Method {
  std::string_view name;
  std::string_view title;  // for tables read by people
  Scale (*scale)(const Task& task);
  bool with_cost_bound, gaussian;  // which families it serves
  bool serves(const NoiseFamily& family) const {
    return family.has_cost_bound() ? with_cost_bound : gaussian;
  }
};

// The methods that serve a family, in the order of the paper.
std::vector<Method> methods_for(const NoiseFamily& family);

// Error (usage) listing the methods for a name that is unknown or does not serve the family.
Method method_named(std::string_view name, const NoiseFamily& family);

}  // namespace fugu
