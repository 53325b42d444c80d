// A law with lattice Laplace noise, in whichever way the thread rounds (verify/rounding.h).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace fugu::inline in_verify {

// The law's cells stand at `offset` in a window of `width` cells. What comes back has for each of the window
// the sum over all cells of cell * ratio^distance, times `norm`: one recurrence from each side (docs/math.md,
// section 5). Beyond the window it falls by the ratio with each step. Preconditions: the cells fit; no number
// is negative; ratio < 1.
std::vector<double> with_laplace(std::span<const double> cells, size_t offset, size_t width, double ratio,
                                 double norm);

}  // namespace fugu::inline in_verify
