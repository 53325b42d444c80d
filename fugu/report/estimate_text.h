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

// What `fugu estimate` prints: {"confidence", "of", "estimates": […]}, or of rows that traded places what
// cross_text.h says. Precondition: not empty.
std::string answer_text(const EstimateAnswer& answer);
Json answer_to_json(const EstimateAnswer& answer);

}  // namespace fugu::inline in_report
