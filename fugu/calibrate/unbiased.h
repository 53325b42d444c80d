// What an unbiased channel needs besides: outputs beyond the values, a partner for its repair, rows whose
// mean is exactly their input (docs/math.md, section 8).
#pragma once

#include <cstdint>
#include <vector>

#include "fugu/core/number.h"
#include "fugu/scenario/scenario.h"

namespace fugu::inline in_calibrate {

// The values, and lattice points beyond them as far as an unbiased channel needs, thinned out where they are
// very many. Error (guarantee) when that is too far to count.
std::vector<int64_t> unbiased_outputs(const Scenario& scenario, const std::vector<int64_t>& inputs);

// Error (guarantee), saying how far the outputs must reach, when they do not.
void check_unbiased_outputs(const Scenario& scenario, const std::vector<int64_t>& inputs,
                            const std::vector<int64_t>& outputs);

// Probabilities by input and output of an unbiased channel that gives every output some mass and keeps every
// ratio well below e^epsilon; empty when the outputs reach no farther than they must, and leave no room.
std::vector<std::vector<double>> unbiased_partner(const Scenario& scenario,
                                                  const std::vector<int64_t>& inputs,
                                                  const std::vector<int64_t>& outputs);

// Makes the mean output of a row exactly `input`, by a factor for all weights and a little more for one.
// The least and the greatest output can only become themselves.
void centre_row(std::vector<Integer>& weights, const std::vector<int64_t>& outputs, int64_t input);

}  // namespace fugu::inline in_calibrate
