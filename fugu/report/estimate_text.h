// Estimates from a released table, for people and as JSON.
#pragma once

#include <string>

#include "fugu/core/json.h"
#include "fugu/estimate/estimate.h"

namespace fugu {

// `name` calls the group; empty where there is one. Shares that have no weight either way are left out where
// there are many.
std::string estimate_text(const PublishedColumn& column, const Estimate& estimate,
                          const EstimateOptions& options, const std::string& name);

// {"column", "group", "rows", "mean": {"value","low","high"}, "quantiles": […], "shares": […]}.
Json estimate_to_json(const PublishedColumn& column, const Estimate& estimate, const std::string& name);

}  // namespace fugu
