// Several draws of one Gaussian noise: of their outputs only the sum says anything of the value
// (docs/math.md, section 10).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "fugu/compose/joint_hockey_rounded.h"
#include "fugu/core/lattice.h"
#include "fugu/mechanism/noise.h"
#include "fugu/proof/kernel.h"

namespace fugu::inline in_compose {

// P(y|x) as bounds: rows by output, entries by value.
struct RowBounds {
  OutputRows high, low;
};

// Rows of the sum of `number` outputs, each at most `width` outside the atoms. The hockey-sticks of these
// rows are at least those of the outputs there. Absent where the weights are not those of a Gaussian as far
// as it matters, and where there is too much to look at.
std::optional<RowBounds> gaussian_sum_rows(const Noise& noise, const Lattice& lattice,
                                           const std::vector<int64_t>& atoms, int64_t width, size_t number);

}  // namespace fugu::inline in_compose
