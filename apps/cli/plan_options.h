// The flags of commands that make one plan.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "apps/cli/options.h"

namespace fugu::cli {

void add_method_option(CLI::App& command, std::string& method);
// The one noise of a plan; Laplace when none is named. Error (usage) for several.
std::string one_noise(const QuestionOptions& options);
// Error (usage) for several epsilons.
void check_one_epsilon(const QuestionOptions& options);

}  // namespace fugu::cli
