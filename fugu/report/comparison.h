// Every method side by side, for people and for programs.
#pragma once

#include <string>

#include "fugu/ask/compare_question.h"
#include "fugu/core/json.h"

namespace fugu::inline in_report {

// A heading with epsilon in words, an aligned table, and a plain sentence when no noise is needed.
std::string comparison_text(const Comparison& comparison);

// One budget: {"epsilon", "delta", "candidates": […]}.
Json comparison_to_json(const Comparison& comparison);

}  // namespace fugu::inline in_report
