// A circulation's classes in blocks, each an image of the whole in small: every prior has in it the same
// share of the mass of every secret. What keeps epsilon in each block then keeps it altogether, and a small
// programme for each block takes the place of one that would be too large (docs/math.md, section 16).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "fugu/solve/circulation.h"

namespace fugu::inline in_solve {

struct BlockShare {
  uint32_t of;   // a class
  double share;  // the part of it that is in this block: in (0, 1]
};
using Block = std::vector<BlockShare>;

// Halves, and halves of these, until none has more than `most` classes. A class is in one block but for those
// that are shared out: of a half at most one more than there are priors times secrets. The shares of a class
// sum to 1 but for rounding; the masses of a block agree to about 1e-12 of it. Classes of similar directions
// go to different blocks. Time of classes times (priors times secrets)^3 times the halvings.
// Precondition: most is at least least_block_size().
std::vector<Block> split_alike(const CirculationProblem& problem, size_t most, const Patience& patience);
size_t least_block_size(const CirculationProblem& problem);

// The circulation within one block, its weights and masses as parts of the block's. Its k-th class is the
// block's k-th. The cost is that of the whole.
CirculationProblem problem_of(const CirculationProblem& problem, const Block& block);

// A share of rows that every circulation changes, whatever its costs: each class must leave as much as it
// takes if only the class that helps it most came in its place. In doubles; far below the optimum at times.
double least_change(const CirculationProblem& problem);

}  // namespace fugu::inline in_solve
