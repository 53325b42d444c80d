// The loss of a released count of one state of a Markov chain, from bounds of its exact laws (docs/math.md,
// sections 5 and 12).
#pragma once

#include <optional>

#include "fugu/core/progress.h"
#include "fugu/plan/model_place.h"

namespace fugu::inline in_verify {

struct CountLoss {
  double loss = 0;  // rounded up, the largest over chains, times and pairs of possible states; maybe infinite
  ChainPlace place;
  bool may_be_named = false;  // nowhere is more lost for certain than at the named place
};

// Under lattice Laplace noise of this ratio, 0 <= ratio < 1; 0 is no noise. Error (data) for a histogram, and
// for what would take too long.
CountLoss count_loss(const ChainModel& model, const Rational& ratio, const std::optional<ChainPlace>& named,
                     const Progress& progress);

}  // namespace fugu::inline in_verify
