// The true numbers that a model's plan releases, as people write them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fugu/plan/model_plan.h"

namespace fugu::inline in_ask {

// As lattice indices: the sum over a crowd, the count of a chain's state, or one for each state. Error (data)
// that begins with `place` and does not repeat them: a text that is no number, a number that the model cannot
// have, too few or too many, and counts of a chain's states that do not add up to its length.
std::vector<int64_t> observed_numbers(const Model& model, const std::vector<std::string>& texts,
                                      const std::string& place);

}  // namespace fugu::inline in_ask
