// The largest privacy loss of a mechanism over a scenario, bounded by interval arithmetic.
//
// What is computed: for every prior, pair and output y, |log P(y|s_i) / P(y|s_j)|. Which outputs suffice
// (docs/math.md, section 5): within `reach` of an atom, every y; between two such windows only the tails
// reach y, the ratio is a Moebius map of tail^(2y), monotone, so its ends suffice, and they are in the
// windows; beyond the outermost windows the ratio is constant. Of a channel, every output; of several columns
// the grid of their atoms (grid_kernel.h).
//
// Where budgets differ, or the promise is in belief, each limit is weighed by itself: the mixture of all
// secrets is one more law, and the same outputs suffice (docs/math.md, section 19).
#pragma once

#include <cstdint>
#include <optional>

#include "fugu/core/progress.h"
#include "fugu/proof/kernel.h"

namespace fugu::inline in_proof {

// The place where the loss is largest.
struct LossPeak {
  size_t prior = 0;
  SecretPair pair{0, 1};               // of a promise in belief a secret and the mixture, as Limit has them
  int64_t output = 0;                  // of several columns the cell of the prior's grid
  bool infinite = false;               // possible under one secret and not under the other
  double upper = 0;                    // bound of the loss, rounded up (meaningless when infinite)
  std::optional<Epsilon> budget = {};  // where it is not the claim's
};

struct LossDecision {
  // The loss is at most epsilon everywhere; else it is larger at the peak, certainly unless unsure_is_no.
  bool holds = false;
  LossPeak peak;
};

// Decides whether the loss is at most epsilon, or every limit is kept where they differ, or returns nullopt
// when this precision cannot tell. With `boxed` it holds if it does for every law within the boxes. Where
// masses are known within a blur it holds if it does for every true law within it, and more digits may never
// tell: with `unsure_is_no` that counts as no.
std::optional<LossDecision> decide_loss(const Claim& claim, const BoxedLaws* boxed,
                                        const MechanismBounds& mechanism, const Interval& epsilon,
                                        bool unsure_is_no = false, const Progress& progress = {});

}  // namespace fugu::inline in_proof
