// The flags of commands that make one plan.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "apps/cli/options.h"
#include "fugu/ask/plan_options.h"

namespace fugu::cli {

void add_plan_options(CLI::App& command, PlanOptions& options);
void add_time_limit(CLI::App& command, std::string& text);

}  // namespace fugu::cli
