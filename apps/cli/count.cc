// fugu count: a count, or any sum, over independent users.
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
#include "fugu/report/wording.h"
#include "fugu/scenario/scenario_json.h"

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
    throw usage("--observed: the true number comes from standard input only",
                "write --observed -, and pipe the number in: a command line can be seen by others");
  if (!options.model.observed.empty() && (options.crowd.probabilities == "-" || options.crowd.values == "-"))
    throw usage("--observed -: standard input is for the true number", "read the users from a file");
  if (!options.expand.empty() || options.compare) {
    const char* flag = options.compare ? "--compare" : "--expand";
    if (!options.model.observed.empty() || !options.model.output.empty() ||
        (options.compare && !options.expand.empty()))
      throw usage(fmt::format("{}: this makes no plan and releases nothing", flag),
                  "run fugu count without it for --observed or -o");
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
  const Budget budget = options.model.budget();
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

Command add_count(CLI::App& program) {
  CLI::App* command = program.add_subcommand(
      "count", "a count, or any sum, over independent users: finds the noise, or releases it");
  auto options = std::make_shared<CountOptions>();
  auto text = [&](const char* group, const char* name, std::string& value, const char* type,
                  const char* what) {
    command->add_option(name, value, what)->type_name(type)->group(group);
  };
  constexpr const char* kUsers = "The users";
  text(kUsers, "--users", options->crowd.users, "N", "this many users who are alike, with --p");
  text(kUsers, "--p", options->crowd.p, "P", "the probability that a user says 1, the second letter");
  text(kUsers, "--probabilities", options->crowd.probabilities, "FILE",
       "CSV file with a line for each user: the probability of 1, or one for each letter; - is standard "
       "input");
  text(kUsers, "--letters", options->crowd.letters, "a,b,c",
       "what a user can say; the header of the file, or 0,1 when not given");
  text(kUsers, "--values", options->crowd.values, "0,1,5|FILE",
       "what each letter adds to the sum, for all users, or a CSV file with a line for each; 0,1,2,... when "
       "not given");
  text(kUsers, "--pairs", options->crowd.pairs, "both|values|absent",
       "what must not be told apart: two letters of a user, a letter and the user's absence (a letter drawn "
       "by the "
       "user's own probabilities), or both, when not given");
  text("Budget", "--noise", options->crowd.noise, "laplace|gaussian|power:P|log:ETA",
       "family of the noise; laplace when not given, several with --compare");
  add_model_options(*command, options->model,
                    "- reads the true number from standard input and prints the released one alone");
  command->add_flag("--compare", options->compare, "Lemma 2 and the exact noises side by side, no plan")
      ->disable_flag_override()
      ->group("Output");
  text("Output", "--expand", options->expand, "FILE",
       "write the users as a scenario for the other commands, mode 0600; up to 300 users, no plan");
  command->footer(
      "fugu count --users 25 --p 0.7 --epsilon 1\n"
      "fugu count --users 1000 --p 0.3 --epsilon 0.5 --delta 1e-6 --compare\n"
      "echo 17 | fugu count --users 25 --p 0.7 --epsilon 1 --observed - -o plan.json\n"
      "fugu count --probabilities users.csv --values 0,1,5 --epsilon 1 --delta 1e-5 --noise gaussian\n");
  return {command, [options] { run(*options); }};
}

}  // namespace fugu::cli
