// What every file of a plan has: a version, and a digest over everything else.
#pragma once

#include <string>
#include <string_view>

#include "fugu/core/json.h"

namespace fugu::inline in_plan {

// {"fugu": 1, "digest": …, the members of `body`}.
Json sealed(Json body);

// Error (data) unless the version is one that is read here; Error (guarantee) when the digest is not that of
// the contents.
void check_seal(const Json& json, const std::string& place);

// The nearest double of a member. Error (data) when it is no number.
double need_double(const Json& object, std::string_view key, const std::string& place);

}  // namespace fugu::inline in_plan
