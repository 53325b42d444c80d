// Arguments as the core reads them: a dictionary of texts, by the names of the command line's flags.
#pragma once

#include <map>
#include <string>

#include "fugu/ask/chain_question.h"
#include "fugu/ask/crowd_question.h"
#include "fugu/ask/estimate_question.h"
#include "fugu/ask/plan_options.h"
#include "fugu/ask/question.h"

namespace fugu::python {

using Texts = std::map<std::string, std::string>;

// Each takes what it knows from `texts` and leaves the rest. Flags are given when their text is not empty.
QuestionOptions question_options(const Texts& texts);
PlanOptions plan_options(const Texts& texts);
CrowdOptions crowd_options(const Texts& texts);
ChainOptions chain_options(const Texts& texts);
EstimateTexts estimate_texts(const Texts& texts);

// The text of that name; empty where there is none.
std::string text_of(const Texts& texts, const std::string& name);

}  // namespace fugu::python
