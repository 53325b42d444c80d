// A question whose budget may come later, as languages ask it: the table is counted once, and compared or
// calibrated at any epsilon afterwards.
//
//   const OpenQuestion open = open_question(options_of<QuestionOptions>(texts), progress);
//   const Plan plan = plan_of(open, {{"epsilon", "0.5"}}, progress);
#pragma once

#include <string>
#include <vector>

#include "fugu/ask/compare_question.h"
#include "fugu/ask/question.h"
#include "fugu/ask/texts.h"
#include "fugu/plan/plan.h"

namespace fugu::inline in_ask {

// Until a budget is said, its scenario has one that stands for none.
class OpenQuestion {
 public:
  Question question;
  bool has_budget = false;
  Rational closeness{0};

  // With that budget; its own where a text is empty. Error (usage) where there is none.
  Scenario promised(const std::string& epsilon, const std::string& delta) const;
  // The same with the first of the epsilons that the options name.
  Scenario promised(const QuestionOptions& options) const;
  // The scenario's file, without a budget where there is none.
  Json to_json() const;
};

// Counts the table. Errors of read_question().
OpenQuestion open_question(QuestionOptions options, const Progress& progress);
// A scenario's file. Errors of parse_json() and scenario_from_json().
OpenQuestion open_scenario(const std::string& text, const std::string& place);

// The columns that are released of a table with these: all that have no other role, where that is asked.
std::vector<std::string> released_columns(const Texts& texts, const std::vector<std::string>& header);

// Every method at the epsilons of the texts. Errors of compare_question().
struct ComparedQuestion {
  Question question;
  std::vector<Comparison> comparisons;
};
ComparedQuestion compare(const OpenQuestion& open, const Texts& texts, const Progress& progress);

// The plan of the question at the texts' budget, by their method. Error (usage) for texts that do not make
// one; errors of make_plan().
Plan plan_of(const OpenQuestion& open, const Texts& texts, const Progress& progress);

}  // namespace fugu::inline in_ask
