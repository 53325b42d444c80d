// Bounds from people who were drawn without replacement from a population (docs/math.md, section 9).
#pragma once

#include <cstdint>

#include "fugu/core/interval.h"
#include "fugu/law/boxes.h"

namespace fugu::inline in_law {

// How many people the drawn ones are a part of; 0 where that is not known.
struct PartSize {
  uint64_t people = 0;
};

// The box of a count among `total` that were drawn, each side wrong with probability at most `tail`. Of a
// known number of people by hypergeometric tails, else by Hoeffding's bound, which holds for every number of
// them. Preconditions: count <= total, 0 < total <= size.people where that is known, 0 < tail < 1/2.
MassBox part_box(uint64_t count, uint64_t total, PartSize size, const Rational& tail);

// An upper bound of the probability that of `total` people, drawn from `people` of whom `marked` are marked,
// at least `count` are marked. Preconditions: marked / people < count / total, and so many can be.
Interval hypergeometric_upper_tail(uint64_t count, uint64_t total, uint64_t marked, uint64_t people,
                                   Bits precision);

}  // namespace fugu::inline in_law
