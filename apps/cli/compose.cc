// fugu compose: what several releases of one value promise together.
#include <fmt/format.h>

#include <memory>

#include "apps/cli/commands.h"
#include "apps/cli/options.h"
#include "apps/cli/plan_io.h"
#include "apps/cli/text_io.h"
#include "fugu/core/error.h"
#include "fugu/report/wording.h"
#include "fugu/verify/compose.h"

namespace fugu::cli {
namespace {

struct ComposeOptions {
  std::vector<std::string> plans;
  GeneralOptions general;
};

// How the bound was found, for people.
std::string why(const std::string& bound) {
  if (bound == "single") return "one plan, its own guarantee";
  if (bound == "joint") return "the exact joint loss";
  if (bound == "rows") return "a bound by the rows of the transport plan";
  if (bound == "distance") return "a bound by the farthest that the transport plan moves mass";
  if (bound == "raw") return "the loss of the value itself, which nothing made from it exceeds";
  if (bound == "range") return "the exchange of any value for any other, whatever the frequencies";
  return "a bound by the cells of the transport plan, with a delta";
}

std::string text_of(const Composition& together, const std::vector<Plan>& plans) {
  std::string out = fmt::format(
      "Together {} of the same value {} epsilon {}{}.\n", counted(plans.size(), "release"),
      plans.size() == 1 ? "promises" : "promise", rounded_up(static_cast<double>(together.epsilon), 6),
      together.delta > 0 ? ", delta " + for_people(round_up(together.delta), 6) : "");
  out += "  in words   " + wrapped(in_words(together), 87, 13) + "\n";
  out += fmt::format("  bound      {}: {}\n", together.bound, why(together.bound));
  for (const Plan& plan : plans) {
    out += fmt::format(
        "  plan       {}, {} noise, epsilon {}{}\n", plan.method, mechanism_name(plan.mechanism),
        plan.scenario.stated().epsilon.text(),
        plan.scenario.stated().delta.is_zero() ? "" : ", delta " + plan.scenario.stated().delta.text());
  }
  out +=
      "  assumed    the noise of each release was drawn by itself, and nothing else of these rows is "
      "released\n";
  for (const std::string& sentence : plans.front().assumptions)
    out += "  assumed    " + wrapped(printable(sentence), 87, 13) + "\n";
  return out;
}

void run(const ComposeOptions& options) {
  const bool json = options.general.json();
  const auto threads = options.general.limit_threads();
  std::vector<Plan> plans;
  plans.reserve(options.plans.size());
  for (const std::string& path : options.plans) plans.push_back(read_and_verify(path).plan);
  const Composition together = compose(plans);
  print(json ? composition_to_json(together).pretty() : text_of(together, plans));
}

}  // namespace

Command add_compose(CLI::App& program) {
  CLI::App* command =
      program.add_subcommand("compose", "what several releases of the same value promise together");
  auto options = std::make_shared<ComposeOptions>();
  command->add_option("PLAN", options->plans, "the plans' files; one that was used twice is named twice")
      ->type_name("PLAN")
      ->required();
  add_general_options(*command, options->general);
  command->footer(
      "fugu compose fugu-demo/plan.json fugu-demo/plan.json\n"
      "fugu compose fugu-demo/plan.json fugu-demo/plan.json --format json\n");
  return {command, [options] { run(*options); }};
}

}  // namespace fugu::cli
