// Linear programmes most of whose variables are 0 at the optimum: solved with few of them, and with more as
// the prices ask for them (column generation).
//
// It is for shares: the first variables come in groups, each of which adds up to 1. A channel of n values is
// such a programme. It has n^2 shares, and an optimum of few more than n that are not 0.
#pragma once

#include <cstddef>
#include <vector>

#include "fugu/solve/linear_programme.h"

namespace fugu::inline in_solve {

// The variables below groups * size; those from g * size on are group g. What a programme has more is always
// taken.
struct ShareGroups {
  size_t groups, size;
};

// `chosen`, by share: those to begin with, with which the programme has to be feasible. It grows, and serves
// a programme that is much like this one. The bound is one of the whole programme: what a group lacks is
// priced by its cheapest share, because the group adds up to 1.
LpResult solve_by_columns(const LinearProgramme& lp, const ShareGroups& shares, std::vector<bool>& chosen,
                          const Patience& patience);

}  // namespace fugu::inline in_solve
