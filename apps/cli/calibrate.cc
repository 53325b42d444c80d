// fugu calibrate: the noise that a method finds, proved, as a plan.
#include <fmt/format.h>

#include <memory>

#include "apps/cli/commands.h"
#include "apps/cli/database.h"
#include "apps/cli/making.h"
#include "apps/cli/progress.h"
#include "apps/cli/text_io.h"
#include "apps/page/page_assets.h"
#include "fugu/ask/lists.h"
#include "fugu/ask/plan_options.h"
#include "fugu/calibrate/calibrate.h"
#include "fugu/calibrate/methods.h"
#include "fugu/plan/publishable.h"
#include "fugu/report/plan_text.h"
#include "fugu/report/shaping.h"
#include "fugu/show/wording.h"

namespace fugu::cli {
namespace {

// What is printed of a plan that was made and, where it goes to a file, written.
void say(const CalibrateOptions& options, const Plan& plan, const std::string& contents,
         const ShapingHint& hint) {
  const bool json = options.general.json(), to_file = !options.output.empty() && options.output != "-";
  if (!to_file) return print(json || options.output == "-" ? contents : plan_text(plan));
  if (json) {
    Json written = Json::object();
    written.add("plan", Json::string(options.output));
    if (!hint.what.empty()) written.add("hint", Json::string(hint.sentence()));
    return print(written.pretty());
  }
  print(fmt::format(
      "Wrote {}, readable by its owner only: it holds the counts.\n{}Check it with: fugu verify {}\n",
      printable(options.output), plan_summary(plan), printable(shell_word(options.output))));
  print(hint.text());
}

}  // namespace

void warn_of_plan(const Plan& plan, uint64_t publish_min, const ShapingHint& hint) {
  const std::string range = range_warning(plan, publish_min);
  if (!range.empty()) warn(range);
  if (!hint.warning.empty()) warn(hint.warning);
}

void run_calibrate(const CalibrateOptions& options) {
  options.general.json();  // before any work
  const auto threads = options.general.limit_threads();
  const std::string noise = one_noise(options.question);
  options.plan.check(noise);  // before any reading
  check_one_epsilon(options.question);
  const bool to_file = !options.output.empty() && options.output != "-";
  const OutputFile file{options.output, options.force, Access::kPrivate};
  if (to_file) {
    check_is_no_input(options.question, options.output);
    file.check();
  }
  const uint64_t publish_min = read_publish_min(options.publish_min);
  PlanFiles beside(options.beside, options.force);
  beside.check();

  ProgressBar bar(options.general.quiet);
  const Question question = ask(options.question, bar.callback());
  if (!options.beside.statement.empty()) {
    check_publishable(question.scenario, method_for(question.scenario, options.question, options.plan).method,
                      publish_min);
  }
  const Plan plan = make_plan(question.scenario, options.question, options.plan, bar.callback());
  bar.clear();
  const ShapingHint hint = question.rows ? shaping_hint(plan) : ShapingHint{};
  warn_of_plan(plan, publish_min, hint);
  beside.write_statement({.plan = plan, .publish_min = publish_min});
  beside.write_report(plan, report_assets(), bar.callback());
  bar.clear();
  const std::string contents = plan_to_json(plan).pretty();
  if (to_file) file.write(contents);
  beside.appear();
  say(options, plan, contents, hint);
}

Command add_calibrate(CLI::App& program) {
  CLI::App* command =
      program.add_subcommand("calibrate", "find the noise, prove it, and write it down as a plan");
  auto options = std::make_shared<CalibrateOptions>();
  add_flags(*command, options->question);
  add_flags(*command, options->plan);
  add_output_options(*command, options->output, options->force,
                     "write the plan to FILE, mode 0600; without it the plan is shown");
  add_general_options(*command, options->general);
  command->footer(
      "fugu calibrate fugu-demo/adult-occupation.csv --secret race --public occupation --epsilon 0.5 -o "
      "plan.json\n"
      "fugu calibrate --scenario fugu-demo/scenario.json --method relaxed --epsilon 1\n"
      "fugu calibrate --scenario fugu-demo/scenario.json --noise gaussian --epsilon 0.5 --delta 1e-5\n"
      "fugu calibrate --scenario fugu-demo/scenario.json --method channel --loss zero-one --epsilon 0.5\n");
  return {command, [options] { run_calibrate(*options); }};
}

}  // namespace fugu::cli
