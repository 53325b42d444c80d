// What was done, for whoever receives the released table. It may be published: no counts of cells, no digest
// of the input, no path.
#pragma once

#include <optional>
#include <string>

#include "fugu/core/json.h"
#include "fugu/plan/statement.h"
#include "fugu/release/release.h"

namespace fugu {

Json receipt_to_json(const Plan& plan, const std::string& plan_digest, const ReleaseRequest& request,
                     const ReleaseSummary& summary, const std::optional<std::string>& output_digest);

}  // namespace fugu
