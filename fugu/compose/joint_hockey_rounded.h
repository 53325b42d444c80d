// Masses of all outputs of several releases together, in whichever way the thread rounds
// (verify/rounding.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fugu::inline in_compose {

// P(y|x) of one release: rows by output, entries by value.
using OutputRows = std::vector<std::vector<double>>;

// For each secret the masses of every joint output, in one order: laws[s][x] are the secret's masses. Of
// releases k and k + 1 with same_as_next[k] only outputs y_k <= y_(k+1) are gone through, and a mass stands
// for all orders of them. Precondition: such releases have the same rows.
std::vector<std::vector<double>> joint_output_masses(const std::vector<OutputRows>& releases,
                                                     const std::vector<bool>& same_as_next,
                                                     const std::vector<std::vector<double>>& laws);

}  // namespace fugu::inline in_compose
