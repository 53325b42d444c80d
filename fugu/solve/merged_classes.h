// Fewer classes in place of many: their answer is where a larger programme begins (solve/circulation.h).
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "fugu/solve/circulation.h"

namespace fugu::inline in_solve {

using ClassPair = std::pair<uint32_t, uint32_t>;

// What a coarser programme tells a finer one: flows to begin with, and what each class is worth.
struct CirculationStart {
  std::vector<ClassPair> flows;
  std::vector<double> worth;
  double doubt = 1;  // how far the worth may be off, before that costs; in costs
};

// Classes merged into about a quarter as many, by halving along the secret whose share varies most.
class MergedClasses {
 public:
  explicit MergedClasses(const CirculationProblem& problem);
  MergedClasses(const MergedClasses&) = delete;  // the cost of its problem looks at its members
  MergedClasses& operator=(const MergedClasses&) = delete;
  CirculationStart start(const std::vector<ClassFlow>& flows, const std::vector<double>& worth) const;
  CirculationProblem problem;

 private:
  std::vector<std::vector<uint32_t>> members_;  // the heaviest first
};

}  // namespace fugu::inline in_solve
