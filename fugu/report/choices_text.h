// The methods side by side in words, for somebody who decides: what `fugu compare` prints.
#pragma once

#include <string>
#include <vector>

#include "fugu/ask/choices.h"

namespace fugu::inline in_report {

// What is asked, and each method in a few lines. Private: made of the owner's counts.
std::string choices_text(const Question& question, const std::vector<Choices>& budgets);

// One sentence with its reason, and a warning where a release would be refused.
std::string recommendation_text(const Choices& choices);

}  // namespace fugu::inline in_report
