// The loss that Markov quilts prove of the counts of a chain's states (docs/math.md, section 12).
//
// A quilt of time i is the state some steps before and the state some steps after. Given both, what lies
// between (the near times, i among them) is independent of the rest. So the loss about the state at i is at
// most what the quilt itself tells of it, its influence, and the cost of the near times. Any quilt proves a
// bound: which one is taken is a search, and nothing rests on that the best is found.
#pragma once

#include <optional>

#include "fugu/core/progress.h"
#include "fugu/plan/model_place.h"

namespace fugu::inline in_verify {

struct QuiltLossAt {
  double loss = 0;      // rounded up, maybe infinite; 0 when no time has two possible states
  ChainPlace place;     // every time where no time's is above `known`
  double at_named = 0;  // the loss of the named time's best quilt
};

// The largest over chains and times of the least loss, when each near state costs `cost` (rounded up, > 0).
// Times that lose no more than `known` are not looked at any closer.
QuiltLossAt loss_by_quilts(const ChainModel& model, double cost, double known,
                           const std::optional<ChainPlace>& named, const Progress& progress);
// By one quilt for all times, from a bound of the influence that needs few powers of the matrix: never less.
QuiltLossAt loss_by_one_quilt(const ChainModel& model, double cost, const std::optional<ChainPlace>& named);

}  // namespace fugu::inline in_verify
