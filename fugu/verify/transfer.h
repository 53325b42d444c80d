// The loss of the counts of a Markov chain's states by what each state passes on to the next (docs/math.md,
// section 12).
//
// Whatever is released: all that is asked of it is by how much another state at one time may change the odds
// of its outputs. So of several releases these factors multiply, also where one is chosen after another.
#pragma once

#include <optional>
#include <vector>

#include "fugu/core/progress.h"
#include "fugu/plan/model_place.h"

namespace fugu::inline in_verify {

// [u * states + v]: the factor by which v in place of u at one time may change the odds of any output, under
// noise of this ratio, 0 <= ratio < 1. Two states that are not counted change nothing. Without noise, 0:
// there is no such factor.
std::vector<Rational> odds_of_change(const ChainModel& model, const Rational& tail_ratio);

struct TransferLoss {
  double loss = 0;  // rounded up, maybe infinite; 0 when no time has two possible states
  ChainPlace place;
  double at_named = 0;
};

// The largest over chains, times and pairs of possible states. `odds` of the releases together, none below 1
// but for those that are 0; 1 on the diagonal.
TransferLoss transfer_loss(const ChainModel& model, const std::vector<Rational>& odds,
                           const std::optional<ChainPlace>& named, const Progress& progress);

}  // namespace fugu::inline in_verify
