// Estimates from a released table, for people and as JSON.
#pragma once

#include <string>

#include "fugu/ask/estimate_question.h"
#include "fugu/core/json.h"

namespace fugu::inline in_report {

// `name` calls the group; empty where there is one. Shares that have no weight either way are left out where
// there are many.
std::string estimate_text(const PublishedColumn& column, const Estimate& estimate,
                          const EstimateOptions& options, const std::string& name);

// {"column", "group", "rows", "mean": {"value","low","high"}, "quantiles": […], "shares": […]}.
Json estimate_to_json(const PublishedColumn& column, const Estimate& estimate, const std::string& name);

// {"confidence", "of", "estimates": […]}: what `fugu estimate` prints. Precondition: not empty.
Json estimated_to_json(const std::vector<Estimated>& estimated);

}  // namespace fugu::inline in_report
