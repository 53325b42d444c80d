// The loss of a released count of one state of a Markov chain, from its exact laws (docs/math.md, sections 5
// and 12).
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "fugu/calibrate/chain_law.h"
#include "fugu/core/progress.h"
#include "fugu/models/chain.h"

namespace fugu::inline in_calibrate {

struct ChainPeak {
  double loss = 0;  // rounded up; infinite where it is, or where the masses are too small to tell
  size_t chain = 0;
  uint64_t time = 1;
  std::pair<size_t, size_t> states{0, 1};
};

class ChainLoss {
 public:
  // Error (data) when the laws cannot be computed.
  explicit ChainLoss(const ChainModel& model, const Progress& progress = {});

  // The largest loss over chains, times and pairs of possible states under lattice Laplace noise of this
  // ratio, 0 <= ratio < 1; 0 is no noise.
  ChainPeak at(const Rational& ratio) const;

 private:
  uint64_t length_;
  size_t states_;
  std::vector<ChainLaw> laws_;
};

}  // namespace fugu::inline in_calibrate
