// The paper's figures of conditional distributions: P(X|S=s) for each secret, side by side.
#pragma once

#include <string>

#include "fugu/core/json.h"
#include "fugu/scenario/scenario.h"

namespace fugu {

// The secrets that belong to some pair, under one prior: bars where there is room for them, else lines.
// Error (usage) for more than eight secrets or 5,000 values. Precondition: prior < priors.
std::string laws_svg(const Scenario& scenario, size_t prior);

// Its numbers: {"figure": "laws", "prior", "laws": [{"secret", "values", "labels" of categories, "mass"}]}.
// Masses have 17 digits.
Json laws_to_json(const Scenario& scenario, size_t prior);

}  // namespace fugu
