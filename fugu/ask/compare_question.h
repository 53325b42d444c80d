// A question's comparison: every method at each of its budgets.
#pragma once

#include <optional>
#include <vector>

#include "fugu/ask/question.h"
#include "fugu/calibrate/calibrate.h"

namespace fugu::inline in_ask {

// What the exact method costs where this is taken for the truth: the table (no kind), or the laws that its
// counts allow by these bounds.
struct ReadingCost {
  std::optional<BoundKind> bounded_by = {};
  Candidate exact;
};

// The candidates of one budget, as compare() returns them.
struct Comparison {
  Epsilon epsilon;
  Delta delta;
  std::vector<Candidate> candidates;  // not empty
  // The same methods with a confidence, where one is asked for.
  std::optional<Rational> confidence = {};
  std::vector<Candidate> robust = {};
  // Those that would be released.
  const std::vector<Candidate>& released() const { return confidence ? robust : candidates; }
  std::vector<ReadingCost> readings = {};
  double spread = 0;        // the standard deviation of the column itself
  std::string words = {};   // what is promised of a claim, as in_words() has it
  std::string budget = {};  // as budget_text() has it, where it is not one epsilon for the odds
  std::optional<DefaultMethod> taken = {};  // when none is named
};

// All; those that solve no linear programme; those that do.
enum class Compared { kAll, kDirect, kOptima };

// The epsilons and noises that the options name: when none, that of the scenario, and Laplace, with a delta
// also Gaussian. Error (guarantee) where no method attains a budget, unless only the optima were asked for.
std::vector<Comparison> compare_question(const Question& question, const QuestionOptions& options,
                                         const OptimumOptions& optimum, const Progress& progress,
                                         Compared which = Compared::kAll);

}  // namespace fugu::inline in_ask
