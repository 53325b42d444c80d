// A question's methods as somebody chooses among them: the one that is taken when none is named, three others
// worth knowing or all, and what each leaves of the table.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fugu/ask/plan_options.h"
#include "fugu/ask/question.h"
#include "fugu/calibrate/calibrate.h"
#include "fugu/estimate/typical_share.h"

namespace fugu::inline in_ask {

struct Choice {
  Candidate candidate;
  std::optional<TypicalShare> share = {};  // where the question is about a table
  // Why a release by it would be refused, and what to do; empty where it would not (plan/publishable.h).
  std::string refused = {}, hint = {};
};

// Of one budget.
struct Choices {
  Scenario scenario;            // the question at that budget
  DefaultMethod taken;          // when none is named
  std::vector<Choice> methods;  // that one first; not empty
  uint64_t rows = 0;            // that would be released; 0 where there is no table

  // The one to take: that which is taken anyway, or where that gives nothing the first that does.
  // Precondition: some method gives something.
  const Choice& recommended() const;
};

enum class Shown { kFew, kAll };

// The rows of a table that a release would write.
uint64_t released_rows(const TableCounts& counts);

// At each epsilon that the options name. Linear programmes are solved for what is shown alone. With a
// confidence everything is for every law that the counts allow. Error (guarantee) where no method attains a
// budget.
std::vector<Choices> choices_of(const Question& question, const QuestionOptions& options,
                                const OptimumOptions& optimum, Shown shown, const Progress& progress);

}  // namespace fugu::inline in_ask
