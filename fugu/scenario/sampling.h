// How the people of a table came to be in it, in files (docs/formats.md).
#pragma once

#include <string>

#include "fugu/core/json.h"
#include "fugu/scenario/scenario.h"

namespace fugu::inline in_scenario {

// "census", {"population": 5000}, {"population": {"F": 2000, "M": 3000}}.
Json sampling_to_json(const Claim& claim);
// Error (data), beginning with `place`.
Sampling sampling_from_json(const Json& json, const std::vector<std::string>& secrets,
                            const std::string& place);

// Error of the given kind for a census with a confidence and a population without; and for either where the
// rows that are counted are not people as they are: one of several was drawn, or they have weights.
void check_sampling(const Scenario& scenario, ErrorKind kind);

}  // namespace fugu::inline in_scenario
