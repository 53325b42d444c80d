// What was done, for whoever receives the released table. It may be published: no counts of cells, no digest
// of the input, no path.
#pragma once

#include <optional>
#include <string>

#include "fugu/core/json.h"
#include "fugu/plan/statement.h"
#include "fugu/release/release.h"

namespace fugu::inline in_release {

// It is tied to its plan by the digest of the statement, which anyone with the plan can make again. A digest
// of the plan itself would tell a guess of the counts from another: whoever knew all rows but one could try
// what that one is.
Json receipt_to_json(const Plan& plan, const ReleaseRequest& request, const ReleaseSummary& summary,
                     const std::optional<std::string>& output_digest);

}  // namespace fugu::inline in_release
