// Loss and hockey-stick of any family's noise in doubles: fast, uncertified, used only to guess.
#pragma once

#include <optional>
#include <vector>

#include "fugu/calibrate/approximate_limits.h"
#include "fugu/calibrate/box_loss.h"
#include "fugu/calibrate/methods.h"

namespace fugu::inline in_calibrate {

class ShapeLoss {
 public:
  explicit ShapeLoss(const Task& task);

  // The largest loss (delta = 0) over epsilon, or over its own budget, or the largest hockey-stick over
  // delta: at most 1 when the budget holds.
  double over_budget(Scale scale) const;

 private:
  // The same over what the counts allow; `at` is P(z steps) of the noise.
  template <class Noise>
  double boxed_over_budget(int64_t reach, double tail, Noise at) const;

  std::optional<BoxLoss> boxes_;
  const Task& task_;
  double epsilon_, delta_, step_;
  std::vector<ApproximateLimit> limits_;                  // pairs both ways, one after the other
  std::vector<std::vector<double>> shares_;               // by prior, of the mixture
  std::vector<std::vector<std::vector<double>>> masses_;  // by prior, secret, atom
};

}  // namespace fugu::inline in_calibrate
