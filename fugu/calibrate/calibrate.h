// From a scenario to a proved plan, and every method side by side.
//
//   Plan plan = calibrate(scenario, "exact", "laplace");
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fugu/core/progress.h"
#include "fugu/plan/plan.h"

namespace fugu {

// Finds the method's noise and proves it as it will be drawn; the plan that comes back verifies.
// Error (usage) for an unknown method or noise, Error (guarantee) when the noise cannot be proved.
Plan calibrate(const Scenario& scenario, std::string_view method, std::string_view noise, const Progress& progress = {});

// One row of a comparison.
struct Candidate {
  std::string method;
  std::string title;
  std::string noise;
  Scale scale;
  double mse = 0;   // of what is drawn
  double loss = 0;  // proved bound of the realised loss
  std::string note;
};

// Every method with this noise, from the most noise to the least, each proved.
std::vector<Candidate> compare(const Scenario& scenario, std::string_view noise, const Progress& progress = {});

}  // namespace fugu
