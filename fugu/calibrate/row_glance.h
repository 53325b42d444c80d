// A quick look at the conditions of Theorem 2 and its harmonic sharpening (calibrate/rows.h): in doubles,
// with a margin, pair by pair. It passes nearly every pair of a scale that is nearly enough; the others are
// looked at in intervals.
#pragma once

#include <cstdint>
#include <vector>

#include "fugu/calibrate/methods.h"
#include "fugu/calibrate/rows.h"
#include "fugu/law/distribution.h"
#include "fugu/transport/within_steps.h"

namespace fugu::inline in_calibrate {

class RowGlance {
 public:
  // At one scale. `enough`: mass that is moved this far costs at most epsilon.
  RowGlance(const Task& task, Mean mean, Scale scale, int64_t enough);

  // Every row and column of the plan of the a-th and the b-th of a prior certainly holds. With delta the
  // condition is that of all mass, which is the stronger one.
  bool passes(const std::vector<Distribution>& secrets, const WithinSteps& within, size_t a, size_t b) const;

 private:
  int64_t enough_;
  // By distance: what a unit of mass adds to its row, which holds where the sum is not positive. Empty where
  // mass travels too far for a table.
  std::vector<double> adds_;
};

}  // namespace fugu::inline in_calibrate
