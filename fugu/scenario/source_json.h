// The member "source" of a scenario file.
#pragma once

#include <string>
#include <vector>

#include "fugu/core/json.h"
#include "fugu/scenario/scenario.h"

namespace fugu::inline in_scenario {

// Of several columns the members of a shape (kShapeKeys) are lists, with null for a column that has none.
// Error (data) with `place`.
Source read_source(const Json& json, const std::string& place, size_t columns);
Json source_to_json(const Source& source);

}  // namespace fugu::inline in_scenario
