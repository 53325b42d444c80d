// fugu compare: every method side by side, at one epsilon or several.
#include <fmt/format.h>

#include <memory>

#include "apps/cli/commands.h"
#include "apps/cli/database.h"
#include "apps/cli/options.h"
#include "apps/cli/progress.h"
#include "apps/cli/text_io.h"
#include "fugu/ask/command_line.h"
#include "fugu/ask/plan_options.h"
#include "fugu/file/database_name.h"
#include "fugu/plan/publishable.h"
#include "fugu/report/compared.h"

namespace fugu::cli {
namespace {

constexpr double kSeconds = 60;  // for each optimum, when no time limit is given

struct CompareOptions {
  QuestionOptions question;
  GeneralOptions general;
  PlanOptions plan;
};

void run(const CompareOptions& options) {
  const bool json = options.general.json();
  const auto threads = options.general.limit_threads();
  OptimumOptions optimum;
  optimum.seconds = read_time_limit(options.plan.time_limit, kSeconds);
  ProgressBar bar(options.general.quiet);
  const Question question = ask(options.question, bar.callback());
  const auto comparisons = compare_question(question, options.question, optimum, bar.callback());
  const std::string text =
      json ? compared_to_json(question, comparisons).pretty() : compared_text(question, comparisons);
  bar.clear();
  print(text);
  const bool one = options.question.epsilon.find(',') == std::string::npos;
  const std::string& table = options.question.table;
  // A database's URL may hold a password.
  if (json || !one || table.empty() || table == "-" || is_database(table)) return;
  const DefaultMethod chosen = method_for(question.scenario, options.question, {});
  print(fmt::format("\nRelease it by {}, the method when none is named ({}), or add --method:\n  {}\n",
                    chosen.method, chosen.why,
                    command_line("release", options.question, {}, {{"-o", "released.csv"}})));
  try {
    check_publishable(question.scenario, kPublishMin);
  } catch (const Error& error) {
    print(fmt::format("As it is that would be refused: {}.\nhint: {}\n", error.message(), error.hint()));
  }
}

}  // namespace

Command add_compare(CLI::App& program) {
  CLI::App* command =
      program.add_subcommand("compare", "every method side by side: noise, error, proved loss");
  auto options = std::make_shared<CompareOptions>();
  add_flags(*command, options->question);
  add_flags(*command, options->plan);
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
