// What the commands of fugu model share: the budget, and what becomes of the plan.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "apps/cli/options.h"
#include "fugu/ask/model_budget.h"
#include "fugu/core/progress.h"
#include "fugu/plan/model_plan.h"

namespace fugu::cli {

inline constexpr const char* kEpsilonHint = "add --epsilon, for example --epsilon 0.5";

// Empty text is a flag not given.
struct ModelOptions {
  ModelBudget budget = {};
  std::string observed = {};  // where the true numbers come from; the plan alone when empty
  std::string output = {};
  bool force = false;
  GeneralOptions general = {};

  // Error (usage, io) when the output cannot be written, or is one of the inputs. Before any work.
  void check_output(const std::vector<std::string>& inputs) const;
};
// `observed` is the help of that flag.
void add_model_options(CLI::App& command, ModelOptions& options, const char* observed);

// The true numbers from standard input, as lattice indices. Errors of observed_numbers().
std::vector<int64_t> read_observed(const Model& model);

// Writes the plan where -o says; then shows it, or, where there are true numbers, releases them: one a line.
void finish(const ModelOptions& options, const ModelPlan& plan,
            const std::optional<std::vector<int64_t>>& observed, const Progress& progress);

}  // namespace fugu::cli
