// How many people hold the lattice of a column where it is.
//
// The coarsest lattice of a table's numbers is published, and one person's number may decide it: of 999 zeros
// and one 41037 the step is 41037.
#pragma once

#include <cstdint>
#include <vector>

#include "fugu/core/number.h"

namespace fugu::inline in_plan {

// The least number of people whose leaving changes the coarsest lattice of the others, where it is below
// `most`; else `most`. The others' lattice is another one exactly if all their values are equal, or congruent
// modulo a prime, in steps of the lattice. 0 where that is so of everybody: the lattice is not the coarsest.
// `people`: how many have each value. Precondition: the values increase, within kMaxSpan of each other.
uint64_t step_support(const std::vector<int64_t>& values, const std::vector<Integer>& people, uint64_t most);

}  // namespace fugu::inline in_plan
