// The loss of Laplace noise on several columns in doubles: fast, uncertified, used only to guess
// (docs/math.md, section 11).
#pragma once

#include <vector>

#include "fugu/calibrate/approximate_limits.h"
#include "fugu/mechanism/noise.h"
#include "fugu/scenario/scenario.h"

namespace fugu::inline in_calibrate {

class GridLoss {
 public:
  // Precondition: several columns, and grids that check_grid() accepts.
  explicit GridLoss(const Scenario& scenario);

  // The largest |log P_i(y)/P_j(y)| over priors, pairs and the grid, at this common scale; where budgets
  // differ as LaplaceLoss has it.
  double at(Scale scale) const;

  size_t cells() const { return cells_; }  // secrets times cells of the grid, over all priors

 private:
  struct Grid {
    std::vector<std::vector<double>> gaps;    // by axis, in units of the weight, to the next atom
    std::vector<std::vector<double>> masses;  // by secret, on the grid
  };
  template <class Real>
  double worst(const Grid& grid, double scale) const;

  std::vector<Grid> grids_;
  bool all_pairs_;
  std::vector<ApproximateLimit> limits_;  // where they are not all pairs
  double epsilon_;
  size_t cells_ = 0;
};

}  // namespace fugu::inline in_calibrate
