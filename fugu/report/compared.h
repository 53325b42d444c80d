// A question's comparison: every method at each of its budgets, with the facts of its scenario.
#pragma once

#include <string>
#include <vector>

#include "fugu/ask/question.h"
#include "fugu/calibrate/methods.h"
#include "fugu/report/comparison.h"

namespace fugu {

// All; those that solve no linear programme; those that do.
enum class Compared { kAll, kDirect, kOptima };

// The epsilons and noises that the options name: when none, that of the scenario, and Laplace, with a delta
// also Gaussian. Error (guarantee) where no method attains a budget, unless only the optima were asked for.
std::vector<Comparison> compare_question(const Question& question, const QuestionOptions& options,
                                         const OptimumOptions& optimum, const Progress& progress,
                                         Compared which = Compared::kAll);

// What `fugu compare` prints.
Json compared_to_json(const Question& question, const std::vector<Comparison>& comparisons);
std::string compared_text(const Question& question, const std::vector<Comparison>& comparisons);

}  // namespace fugu
