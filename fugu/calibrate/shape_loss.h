// Loss and hockey-stick of any family's noise in doubles: fast, uncertified, used only to guess.
#pragma once

#include <vector>

#include "fugu/calibrate/methods.h"

namespace fugu {

class ShapeLoss {
 public:
  explicit ShapeLoss(const Task& task);

  // The largest loss (delta = 0) over epsilon, or the largest hockey-stick over delta: at most 1 when the
  // budget holds.
  double over_budget(Scale scale) const;

 private:
  const Task& task_;
  double epsilon_, delta_, step_;
  std::vector<SecretPair> pairs_;
  std::vector<std::vector<std::vector<double>>> masses_;  // by prior, secret, atom
};

}  // namespace fugu
