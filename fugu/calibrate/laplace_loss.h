// The loss of lattice Laplace noise in doubles: fast, uncertified, used only to guess (docs/math.md, section
// 5).
#pragma once

#include <cstdint>
#include <vector>

#include "fugu/calibrate/approximate_limits.h"
#include "fugu/mechanism/noise.h"
#include "fugu/scenario/scenario.h"

namespace fugu::inline in_calibrate {

class LaplaceLoss {
 public:
  explicit LaplaceLoss(const Scenario& scenario);

  // The largest |log P_i(y)/P_j(y)| over priors, pairs and outputs, to about 1e-13; uses every core on large
  // input. Where budgets differ each is taken as a share of its own, times the largest.
  double at(Scale scale) const;

  size_t cells() const { return cells_; }  // secrets times values, over all priors

 private:
  // Per prior: masses by secret, then by value of the union of supports.
  struct Grid {
    std::vector<double> gaps;    // in steps, to the next value
    std::vector<double> masses;  // secret-major
    size_t secrets, values;
  };
  template <class Real>
  double worst(const Grid& grid, double steps_per_scale) const;

  std::vector<Grid> grids_;
  bool all_pairs_;
  std::vector<ApproximateLimit> limits_;  // where they are not all pairs
  double epsilon_, step_;
  size_t cells_ = 0;
};

}  // namespace fugu::inline in_calibrate
