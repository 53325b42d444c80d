// fugu compare: what each method leaves of the table, at one epsilon or several.
#include <fmt/format.h>

#include <memory>

#include "apps/cli/commands.h"
#include "apps/cli/database.h"
#include "apps/cli/options.h"
#include "apps/cli/progress.h"
#include "apps/cli/text_io.h"
#include "fugu/ask/choices.h"
#include "fugu/ask/command_line.h"
#include "fugu/ask/plan_options.h"
#include "fugu/file/database_name.h"
#include "fugu/plan/publishable.h"
#include "fugu/report/choices_text.h"
#include "fugu/report/compared.h"

namespace fugu::cli {
namespace {

constexpr double kSecondsEach = 60;  // for each optimum, when no time limit is given

struct CompareOptions {
  QuestionOptions question;
  GeneralOptions general;
  PlanOptions plan;
  bool all = false;
  bool paper = false;
};

OptimumOptions optimum_of(const CompareOptions& options, const Scenario& scenario) {
  OptimumOptions optimum = read_optimum(options.plan, scenario);
  optimum.seconds = read_time_limit(options.plan.time_limit, kSecondsEach);
  return optimum;
}

// The command that releases it, where one can be given: a database's URL may hold a password.
std::string release_line(const CompareOptions& options, const Epsilon& epsilon, const std::string& method) {
  QuestionOptions question = options.question;
  if (question.table.empty() || question.table == "-" || is_database(question.table)) return "";
  if (!question.epsilon.empty()) question.epsilon = epsilon.text();
  PlanOptions plan;
  plan.cost = options.plan.cost;
  plan.method = method;
  return fmt::format("  {}\n", command_line("release", question, plan, {{"-o", "released.csv"}}));
}

std::string refused_text(const Error& error) {
  return fmt::format("As it stands, that would be refused: {}.\nhint: {}\n", error.message(), error.hint());
}

void print_choices(const CompareOptions& options, const Question& question, ProgressBar& bar) {
  const auto budgets = choices_of(question, options.question, optimum_of(options, question.scenario),
                                  options.all ? Shown::kAll : Shown::kFew, bar.callback());
  bar.clear();
  print(choices_text(question, budgets));
  for (const Choices& choices : budgets) {
    const Choice& best = choices.recommended();
    const bool taken = best.candidate.method == choices.taken.method;
    print("\n" + recommendation_text(choices) +
          release_line(options, choices.scenario.stated().epsilon, taken ? "" : best.candidate.method));
    if (!best.refused.empty()) print(refused_text(usage(best.refused, best.hint)));
  }
  if (!options.all) print("\n--all shows every method, --paper the table for readers of the paper.\n");
}

void print_paper(const CompareOptions& options, const Question& question, ProgressBar& bar) {
  const auto comparisons =
      compare_question(question, options.question, optimum_of(options, question.scenario), bar.callback());
  const bool json = options.general.json();
  const std::string text =
      json ? compared_to_json(question, comparisons).pretty() : compared_text(question, comparisons);
  bar.clear();
  print(text);
  if (json || comparisons.size() != 1) return;
  const std::string line = release_line(options, comparisons.front().epsilon, "");
  if (line.empty()) return;
  const DefaultMethod chosen = method_for(question.scenario, options.question, {});
  print(fmt::format("\nRelease it by {}, the default method here ({}), or add --method:\n{}", chosen.method,
                    chosen.why, line));
  for (const Candidate& candidate : comparisons.front().candidates) {
    if (candidate.method != chosen.method || !candidate.mechanism) continue;
    try {
      return check_publishable(question.scenario, *candidate.mechanism, kPublishMin);
    } catch (const Error& error) {
      return print(refused_text(error));
    }
  }
}

void run(const CompareOptions& options) {
  const bool json = options.general.json();
  const auto threads = options.general.limit_threads();
  if (options.paper && options.all)
    throw usage("--all: --paper already shows every method", "leave one of them out");
  read_time_limit(options.plan.time_limit, kSecondsEach);
  ProgressBar bar(options.general.quiet);
  const Question question = ask(options.question, bar.callback());
  (json || options.paper ? print_paper : print_choices)(options, question, bar);
}

}  // namespace

Command add_compare(CLI::App& program) {
  CLI::App* command =
      program.add_subcommand("compare", "what each method does to the table, and which to choose");
  auto options = std::make_shared<CompareOptions>();
  add_flags(*command, options->question);
  add_flags(*command, options->plan);
  add_flag(*command,
           Flag{"all", FlagKind::kSwitch, "", "Output",
                "show every method, not only the best choice and three others"}
               .everyday(),
           options->all);
  add_flag(*command,
           Flag{"paper", FlagKind::kSwitch, "", "Output",
                "a table of every method for readers of the paper: scale, error, proved loss, leakage"},
           options->paper);
  add_general_options(*command, options->general);
  command->footer(
      "fugu compare fugu-demo/adult-occupation.csv --secret race --public occupation --epsilon 0.5\n"
      "fugu compare fugu-demo/adult-occupation.csv --secret race --public occupation --epsilon 0.5 "
      "--merge-rare 1000\n"
      "fugu compare --scenario fugu-demo/scenario.json --epsilon 0.1,0.5,1 --format json\n"
      "fugu compare --scenario fugu-demo/scenario.json --epsilon 0.5 --delta 1e-5\n");
  return {command, [options] { run(*options); }};
}

}  // namespace fugu::cli
