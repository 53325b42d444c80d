// A question's comparison as it is shown, with the facts of its scenario.
#pragma once

#include <string>
#include <vector>

#include "fugu/ask/compare_question.h"
#include "fugu/report/comparison.h"

namespace fugu::inline in_report {

// What `fugu compare` prints.
Json compared_to_json(const Question& question, const std::vector<Comparison>& comparisons);
std::string compared_text(const Question& question, const std::vector<Comparison>& comparisons);

}  // namespace fugu::inline in_report
