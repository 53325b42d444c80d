// fugu figure: the pictures of a question, as the paper has them.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "apps/cli/commands.h"
#include "apps/cli/database.h"
#include "apps/cli/options.h"
#include "apps/cli/progress.h"
#include "apps/cli/text_io.h"
#include "apps/cli/usage_error.h"
#include "fugu/ask/lists.h"
#include "fugu/ask/plan_options.h"
#include "fugu/report/figures.h"
#include "fugu/report/variance_chart.h"
#include "fugu/show/wording.h"

namespace fugu::cli {
namespace {

constexpr double kSecondsAtEpsilon = 10;  // for each optimum at each epsilon, when no time limit is given

struct FigureOptions {
  std::string kind;
  QuestionOptions question;
  GeneralOptions general;
  std::string belief;
  PlanOptions plan;
  std::string output;
  bool force = false;
};

// A picture, and its numbers.
struct Figure {
  std::string svg;  // empty where only the numbers are asked for
  Json numbers;
};

size_t prior_named(const Scenario& scenario, const std::string& name) {
  if (name.empty()) return 0;
  for (size_t p = 0; p < scenario.priors.size(); ++p) {
    if (scenario.priors[p].name == name) return p;
  }
  throw usage(fmt::format("--belief: there is no prior '{}'", name),
              fmt::format("the first is '{}'", printable(scenario.priors.front().name)));
}

// Laws and plans do not depend on the budget: where none is given any will do.
QuestionOptions without_budget(QuestionOptions question) {
  if (question.epsilon.empty()) question.epsilon = "1";
  question.closeness = "0";
  return question;
}

// One column is drawn: several have no line to be drawn on.
Scenario one_column(Scenario scenario) {
  if (scenario.is_joint())
    throw usage("--public: a figure shows one column", "draw each in a figure of its own");
  return scenario;
}

Figure draw_laws(const FigureOptions& options, bool drawn, const Progress& progress) {
  const Scenario scenario = one_column(cli::ask(without_budget(options.question), progress).scenario);
  const size_t prior = prior_named(scenario, options.belief);
  return {drawn ? laws_svg(scenario, prior) : "", laws_to_json(scenario, prior)};
}

Figure draw_plan(const FigureOptions& options, bool drawn, const Progress& progress) {
  const Scenario scenario = one_column(cli::ask(without_budget(options.question), progress).scenario);
  const size_t prior = prior_named(scenario, options.belief);
  return {drawn ? transport_svg(scenario, prior) : "", transport_to_json(scenario, prior)};
}

// Those that are given, else those of the paper's figure that a closeness leaves something of.
std::vector<Epsilon> points_of(const QuestionOptions& question, const Scenario& scenario) {
  std::vector<Epsilon> epsilons = question.epsilons();
  if (epsilons.empty()) {
    epsilons = figure_epsilons();
    std::erase_if(epsilons, [&](const Epsilon& epsilon) { return epsilon.value() <= 2 * scenario.lambda(); });
  }
  auto value = [](const Epsilon& epsilon) { return epsilon.value(); };
  std::ranges::sort(epsilons, {}, value);
  const auto same = std::ranges::unique(epsilons, {}, value);
  epsilons.erase(same.begin(), same.end());
  if (epsilons.size() < 2)
    throw usage("--epsilon: a line needs at least two points", "give several, for example 0.1,0.5,1");
  return epsilons;
}

Figure draw_error(const FigureOptions& options, bool drawn, const Progress& progress) {
  if (!options.belief.empty()) {
    throw usage("--belief cannot be used with error: noise covers all priors at once", "leave it out");
  }
  OptimumOptions optimum;
  optimum.seconds = read_time_limit(options.plan.time_limit, kSecondsAtEpsilon);
  const std::string noise = one_noise(options.question);
  QuestionOptions ask = options.question;
  if (ask.epsilon.empty()) ask.epsilon = figure_epsilons().back().text();
  const Scenario scenario = one_column(cli::ask(ask, progress).scenario);
  const std::vector<Epsilon> epsilons = points_of(options.question, scenario);
  const LineChart chart = variance_chart(scenario, epsilons, noise, optimum, progress);
  return {drawn ? to_svg(chart, variance_name(scenario)) : "", variance_to_json(chart)};
}

void run(const FigureOptions& options) {
  const bool json = options.general.json();
  const auto threads = options.general.limit_threads();
  using Draw = Figure (*)(const FigureOptions&, bool, const Progress&);
  const std::pair<const char*, Draw> kinds[] = {
      {"laws", draw_laws}, {"plan", draw_plan}, {"error", draw_error}};
  const auto* const kind = std::ranges::find(kinds, options.kind, [](const auto& row) { return row.first; });
  if (kind == std::end(kinds))
    throw usage(fmt::format("there is no figure '{}'", options.kind), "use one of laws, plan, error");
  if (!options.plan.time_limit.empty() && options.kind != "error")
    throw usage("--time-limit cannot be used with " + options.kind, "use it with error");
  const bool to_file = !options.output.empty() && options.output != "-";
  const OutputFile file{options.output, options.force, Access::kPrivate};
  if (to_file) {
    check_is_no_input(options.question, options.output);
    file.check();
  }

  ProgressBar bar(options.general.quiet);
  const Figure figure = kind->second(options, to_file || !json, bar.callback());
  bar.clear();
  if (to_file) file.write(figure.svg);
  if (json) return print(figure.numbers.pretty());
  print(to_file ? fmt::format("Wrote {}, readable by its owner only: it shows what the table says.\n",
                              printable(options.output))
                : figure.svg);
}

}  // namespace

Command add_figure(CLI::App& program) {
  CLI::App* command =
      program.add_subcommand("figure", "pictures of a question, as SVG; private: they show frequencies");
  auto options = std::make_shared<FigureOptions>();
  add_flag(*command,
           Flag{"KIND", FlagKind::kChoice, "laws|plan|error", "",
                "laws: how likely each value is, given each secret; plan: how mass moves between the two "
                "secrets of one "
                "pair; error: the variance of each method's noise against epsilon"}
               .needed(),
           options->kind);
  add_flags(*command, options->question);
  add_flag(*command,
           Flag{"belief", FlagKind::kWord, "NAME", "What is hidden, what is released",
                "draw the laws or the plan of this prior; default: the first"},
           options->belief);
  add_flags(*command, options->plan);
  add_output_options(*command, options->output, options->force,
                     "write the picture to FILE, mode 0600; default: standard output");
  add_general_options(*command, options->general);
  command->get_option("--format")->description("text draws; json prints the numbers of the picture");
  command->footer(
      "fugu figure laws --scenario fugu-demo/scenario.json -o laws.svg\n"
      "fugu figure plan --scenario fugu-demo/scenario.json --pairs White:Asian-Pac-Islander -o plan.svg\n"
      "fugu figure error --scenario fugu-demo/scenario.json --epsilon 0.1,0.2,0.3,0.5,0.8,1.3 -o "
      "error.svg\n");
  return {command, [options] { run(*options); }};
}

}  // namespace fugu::cli
