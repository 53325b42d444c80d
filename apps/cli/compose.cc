// fugu compose: what several releases of one value promise together.
#include <fmt/format.h>

#include <memory>

#include "apps/cli/commands.h"
#include "apps/cli/options.h"
#include "apps/cli/text_io.h"
#include "fugu/ask/plan_io.h"
#include "fugu/compose/compose.h"
#include "fugu/compose/compose_models.h"
#include "fugu/core/error.h"
#include "fugu/show/wording.h"

namespace fugu::cli {
namespace {

struct ComposeOptions {
  std::vector<std::string> plans;
  std::string delta;
  bool values_unchanged = false;
  GeneralOptions general;
};

// How the bound was found, for people.
std::string why(const Composition& together, const std::string& about) {
  const std::string& bound = together.bound;
  if (bound == "joint" && together.delta > 0) return "the joint hockey-stick, summed over all outputs";
  if (bound == "transfer" && about == "model")
    return "what each state of the chain passes on to the next, paid once";
  if (bound == "single") return "one plan, its own promise";
  if (bound == "joint") return "the exact joint loss";
  if (bound == "transfer") return "the least that exchanges of values allow, whatever the outputs";
  if (bound == "values") return "what all columns but one tell whatever the values are, added up";
  if (bound == "rows") return "a bound by the rows of the transport plan";
  if (bound == "distance") return "a bound by the farthest that the transport plan moves mass";
  if (bound == "raw") return "the loss of the value itself, which nothing made from it exceeds";
  if (bound == "lemma2") return "Lemma 2: whatever the others say, the losses add";
  if (bound == "range") return "exchanging any value for any other, whatever the frequencies";
  if (bound == "group") return "what group privacy says of their noise, added up";
  if (bound == "losses") return "the laws of the losses in the cells of the transport plan, added up";
  return "a bound by the cells of the transport plan, with a delta";
}

// What is said of a plan of either kind.
std::string plan_words(const Plan& plan) {
  const Budget stated = plan.scenario.stated();
  const std::string noise = mechanism_name(plan.mechanism);
  const bool adds = adds_noise(plan.mechanism) && noise != plan.method;
  return fmt::format("{}{}, epsilon {}{}", plan.method, adds ? ", " + noise + " noise" : "",
                     stated.epsilon.text(), stated.delta.is_zero() ? "" : ", delta " + stated.delta.text());
}
std::string plan_words(const ModelPlan& plan) {
  return fmt::format("{}, {} noise, epsilon {}{}", plan.method, plan.noise.family, plan.budget.epsilon.text(),
                     plan.budget.delta.is_zero() ? "" : ", delta " + plan.budget.delta.text());
}

template <class AnyPlan>
std::string text_of(const Composition& together, const std::vector<AnyPlan>& plans,
                    const std::string& about) {
  std::string out = fmt::format(
      "Together {} of {} {} epsilon {}{}.\n", counted(plans.size(), "release"),
      together.bound == "values" ? "several columns" : "the same " + about,
      plans.size() == 1 ? "promises" : "promise", rounded_up(static_cast<double>(together.epsilon), 6),
      together.delta > 0 ? ", delta " + for_people(round_up(together.delta), 6) : "");
  out += "  in words   " + wrapped(in_words(together), 87, 13) + "\n";
  out += fmt::format("  bound      {}: {}\n", together.bound, why(together, about));
  for (const AnyPlan& plan : plans) out += fmt::format("  plan       {}\n", plan_words(plan));
  out += fmt::format(
      "  assumed    the noise of each release was drawn by itself, and nothing else of {} is released\n",
      about == "value" ? "these rows" : "what the model is about");
  if (plans.size() > 1 && together.delta > 0) {
    out +=
        "  assumed    which plans are released was settled beforehand: with a delta, none was chosen after\n"
        "             seeing the releases before\n";
  }
  if (plans.size() > 1 && about == "value")
    out += "  assumed    nobody's value has changed from one release to the next: else this is no bound\n";
  for (const std::string& sentence : plans.front().assumptions) {
    // A plan by itself takes for granted what is composed here, and may have budgets that do not add up.
    if (plans.size() == 1 || (sentence.find(" released once;") == std::string::npos &&
                              !sentence.starts_with("Epsilon is less for some")))
      out += "  assumed    " + wrapped(printable(sentence), 87, 13) + "\n";
  }
  return out;
}

void run(const ComposeOptions& options) {
  const bool json = options.general.json();
  const auto threads = options.general.limit_threads();
  std::vector<Plan> plans;
  std::vector<ModelPlan> models;
  for (const std::string& path : options.plans) {
    auto proved = read_and_verify_any(path);
    if (auto* model = std::get_if<ProvedModelPlan>(&proved)) {
      models.push_back(std::move(model->plan));
    } else {
      plans.push_back(std::move(std::get<ProvedPlan>(proved).plan));
    }
  }
  if (!plans.empty() && !models.empty()) {
    throw Error(ErrorKind::kGuarantee,
                "the plans do not compose: some are about a table's column and some about a model",
                "compose plans about the same value");
  }
  std::optional<Rational> asked;
  if (!options.delta.empty()) asked = Delta::parse(options.delta, "--delta", ErrorKind::kUsage).value();
  if (asked && !models.empty()) {
    throw Error(ErrorKind::kUsage,
                "--delta: this is for plans about a table's column, and these are about a model",
                "leave it out: what a model's plans promise together needs none");
  }
  const Beliefs beliefs = options.values_unchanged ? Beliefs::kAny : Beliefs::kSame;
  const Composition together = models.empty() ? compose(plans, asked, beliefs) : compose(models);
  if (json) return print(composition_to_json(together).pretty());
  print(models.empty() ? text_of(together, plans, "value") : text_of(together, models, "model"));
}

}  // namespace

Command add_compose(CLI::App& program) {
  CLI::App* command =
      program.add_subcommand("compose", "what several releases of the same rows promise together");
  auto options = std::make_shared<ComposeOptions>();
  command->add_option("PLAN", options->plans, "the plans; name one twice if it was used twice")
      ->type_name("PLAN")
      ->required();
  command
      ->add_option("--delta", options->delta,
                   "allow at most this delta; default: the sum of the plans' deltas")
      ->type_name("D");
  command->add_flag(
      "--values-unchanged", options->values_unchanged,
      "the plans are of one table at several times: people may have come or left, but you confirm that "
      "nobody's value has changed");
  add_general_options(*command, options->general);
  command->footer(
      "fugu compose fugu-demo/plan.json fugu-demo/plan.json\n"
      "fugu compose fugu-demo/plan.json fugu-demo/plan.json --format json\n");
  return {command, [options] { run(*options); }};
}

}  // namespace fugu::cli
