// The texts of a question and of a plan by the names of their flags: what a page sends, what a command line
// is made of.
//
//   for (const QuestionField& field : question_fields()) options.*field.text = …;
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "fugu/ask/plan_options.h"
#include "fugu/ask/question.h"

namespace fugu {

struct QuestionField {
  const char* name;  // that of the flag, without dashes
  std::string QuestionOptions::*text;
};
// Every text that says what is asked of a table, in the order of the command line. Not those that name files.
std::span<const QuestionField> question_fields();

struct PlanField {
  const char* name;
  std::string PlanOptions::*text;
};
std::span<const PlanField> plan_fields();

struct PlanSwitch {
  const char* name;
  bool PlanOptions::*value;
};
std::span<const PlanSwitch> plan_switches();

// The first flag that a message names, without dashes: "epsilon" of "--epsilon: no epsilon is given". Empty
// where it names none of a question or a plan.
std::string field_of_message(std::string_view message);

}  // namespace fugu
