// The member "source" of a scenario file.
#pragma once

#include <string>
#include <vector>

#include "fugu/core/json.h"
#include "fugu/scenario/scenario.h"

namespace fugu::inline in_scenario {

// Of several columns the labels and the steps are the axes'. Error (data) with `place`.
Source read_source(const Json& json, const std::string& place, bool several);
Json source_to_json(const Source& source, const std::vector<Axis>& axes);

}  // namespace fugu::inline in_scenario
