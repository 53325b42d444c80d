// The command line that asks the same: what a page does can be done again in a terminal.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "fugu/ask/plan_options.h"
#include "fugu/ask/question.h"

namespace fugu::inline in_ask {

// Flags beside those of the question and the plan, with their dashes; an empty value is a switch.
using MoreFlags = std::vector<std::pair<std::string, std::string>>;

// "fugu calibrate table.csv --secret race …", every word as a shell reads it back. `command` is a command of
// fugu that takes these flags. Precondition: the question is about a table, and names no file besides.
std::string command_line(const std::string& command, const QuestionOptions& question, const PlanOptions& plan,
                         const MoreFlags& more = {});

}  // namespace fugu::inline in_ask
