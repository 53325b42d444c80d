// fugu model count: a count, or any sum, over independent users.
#include <fmt/format.h>

#include <memory>

#include "apps/cli/commands.h"
#include "apps/cli/model_options.h"
#include "apps/cli/progress.h"
#include "apps/cli/text_io.h"
#include "fugu/ask/crowd_question.h"
#include "fugu/ask/lists.h"
#include "fugu/calibrate/crowd.h"
#include "fugu/models/crowd_scenario.h"
#include "fugu/report/comparison.h"
#include "fugu/scenario/scenario_json.h"
#include "fugu/show/wording.h"

namespace fugu::cli {
namespace {

// Empty text is a flag not given.
struct CountOptions {
  CrowdOptions crowd;
  std::string expand;
  bool compare = false;
  ModelOptions model;
};

void check_flags(const CountOptions& options) {
  options.crowd.check();
  if (!options.model.observed.empty() && options.model.observed != "-")
    throw usage("--observed: the true number can only come from standard input",
                "write --observed - and pipe the number in: others can see a command line");
  if (!options.model.observed.empty() && (options.crowd.probabilities == "-" || options.crowd.values == "-"))
    throw usage("--observed -: standard input is for the true number", "read the users from a file");
  if (!options.expand.empty() || options.compare) {
    const char* flag = options.compare ? "--compare" : "--expand";
    if (!options.model.observed.empty() || !options.model.output.empty() ||
        (options.compare && !options.expand.empty()))
      throw usage(fmt::format("{}: this makes no plan and releases nothing", flag),
                  "run the command without it for --observed or -o");
  }
}

void expand(const CountOptions& options, const Crowd& crowd, const Budget& budget) {
  const OutputFile file{options.expand, options.model.force, Access::kPrivate};
  file.check();
  file.write(scenario_to_json(crowd_scenario(crowd, budget)).pretty());
  if (options.model.general.json()) {
    Json written = Json::object();
    written.add("scenario", Json::string(options.expand));
    print(written.pretty());
    return;
  }
  print(fmt::format(
      "Wrote {}, readable by its owner only: {} of {}.\nCompare with: fugu compare --scenario {}\n",
      printable(options.expand), counted(crowd.users.size(), "kind"), counted(crowd.size(), "user"),
      printable(shell_word(options.expand))));
}

void run(const CountOptions& options) {
  const bool json = options.model.general.json();
  const auto threads = options.model.general.limit_threads();
  check_flags(options);
  const Budget budget = options.model.budget.read(kEpsilonHint);
  const auto noises = options.crowd.noises(budget, options.compare);
  options.model.check_output({options.crowd.probabilities, options.crowd.values});

  const Crowd crowd = read_crowd(options.crowd);
  if (!options.expand.empty()) return expand(options, crowd, budget);
  ProgressBar bar(options.model.general.quiet);
  if (options.compare) {
    const Comparison comparison{budget.epsilon, budget.delta, compare(crowd, budget, noises, bar.callback())};
    bar.clear();
    return print(json ? comparison_to_json(comparison).pretty() : comparison_text(comparison));
  }
  std::optional<std::vector<int64_t>> observed;
  if (!options.model.observed.empty()) observed = read_observed(crowd);
  const ModelPlan plan = calibrate(crowd, budget, noises.front(), {}, bar.callback());
  finish(options.model, plan, observed, bar.callback());
}

}  // namespace

Command add_count(CLI::App& parent) {
  CLI::App* command =
      parent.add_subcommand("count", "find the noise for a count, or any sum, over independent users");
  auto options = std::make_shared<CountOptions>();
  add_flags(*command, options->crowd);
  add_model_options(*command, options->model,
                    "- reads the true number from standard input and prints only the released one");
  add_flag(*command,
           Flag{"compare", FlagKind::kSwitch, "", "Output",
                "show Lemma 2 and the exact noises side by side; no plan"}
               .everyday(),
           options->compare);
  add_flag(*command,
           Flag{"expand", FlagKind::kFile, "FILE", "Output",
                "write the users as a scenario for the other commands, mode 0600; up to 300 users, no plan"},
           options->expand);
  command->footer(
      "fugu model count --users 25 --p 0.7 --epsilon 1\n"
      "fugu model count --users 1000 --p 0.3 --epsilon 0.5 --delta 1e-6 --compare\n"
      "echo 17 | fugu model count --users 25 --p 0.7 --epsilon 1 --observed - -o plan.json\n"
      "fugu model count --probabilities users.csv --values 0,1,5 --epsilon 1 --delta 1e-5 --noise "
      "gaussian\n");
  return {command, [options] { run(*options); }};
}

}  // namespace fugu::cli
