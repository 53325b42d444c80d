// fugu model chain: how often states occur in a sequence that is a Markov chain.
#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "apps/cli/commands.h"
#include "apps/cli/model_options.h"
#include "apps/cli/progress.h"
#include "apps/cli/text_io.h"
#include "fugu/ask/chain_question.h"
#include "fugu/calibrate/chain.h"
#include "fugu/calibrate/chain_law.h"
#include "fugu/core/error.h"
#include "fugu/show/text_table.h"
#include "fugu/show/wording.h"

namespace fugu::cli {
namespace {

struct ChainFlags {
  ChainOptions chain;
  bool compare = false;
  ModelOptions model;
};

void check_flags(const ChainFlags& options) {
  options.chain.check();
  const std::string& observed = options.model.observed;
  if (observed == "sequence" && options.chain.sequence.empty())
    throw usage("--observed sequence: there is no --sequence", "leave it out");
  if (!observed.empty() && observed != "-" && observed != "sequence")
    throw usage("--observed: this must be - or sequence",
                "- reads the true numbers from standard input, sequence counts them in --sequence");
  if (observed == "sequence" && !options.chain.length.empty())
    throw usage("--length: --sequence already has a length", "leave out --length");
  if (observed == "-" && (options.chain.sequence == "-" || options.chain.matrix == "-"))
    throw usage("--observed -: standard input is already in use", "give the other input a file");
  if (options.compare &&
      (!options.chain.method.empty() || !observed.empty() || !options.model.output.empty()))
    throw usage("--compare makes no plan", "leave out --method, --observed and -o");
}

// The true numbers: of the sequence, or from standard input.
std::optional<std::vector<int64_t>> observed_of(const ChainFlags& options, const ChainInput& input) {
  if (options.model.observed.empty()) return std::nullopt;
  return options.model.observed == "-" ? read_observed(input.model) : input.counted();
}

void compare(const ChainFlags& options, const ChainModel& model, const Budget& budget, ProgressBar& bar) {
  Json candidates = Json::array();
  TextTable table({{"method"},
                   {"scale", Align::kRight},
                   {"error", Align::kRight},
                   {"loss", Align::kRight},
                   {"what it uses"}});
  for (const ChainMethod& method : kChainMethods) {
    Json row = Json::object();
    row.add("method", Json::string(std::string(method.name)));
    row.add("noise", Json::string("laplace"));
    const auto why_not = method.name == "exact" ? ChainLaw::infeasible(model) : std::nullopt;
    if (why_not) {
      for (const char* key : {"scale", "mse", "loss"}) row.add(key, Json::null());
      row.add("note", Json::string(*why_not));
      table.add({std::string(method.name), "-", "-", "-", *why_not});
    } else {
      const ModelPlan plan = calibrate(model, budget, std::string(method.name), bar.callback());
      row.add("scale", Json::number(plan.noise.scale->value));
      row.add("mse", Json::number(plan.mse));
      row.add("loss", Json::number(*plan.witness.loss));
      row.add("note", Json::null());
      table.add({std::string(method.name), rounded_up(plan.noise.scale->value, 6),
                 compact(std::sqrt(plan.mse), 5), rounded_up(*plan.witness.loss, 6),
                 std::string(method.title)});
    }
    candidates.if_array()->push_back(std::move(row));
  }
  bar.clear();
  if (options.model.general.json()) {
    Json json = Json::object();
    json.add("candidates", std::move(candidates));
    print(json.pretty());
  } else {
    print(fmt::format("epsilon {}: {}\n\n{}", budget.epsilon.text(), in_words(budget.epsilon), table.text()));
  }
}

void run(const ChainFlags& options) {
  (void)options.model.general.json();
  const auto threads = options.model.general.limit_threads();
  check_flags(options);
  const Budget budget = options.model.budget.read(kEpsilonHint);
  options.model.check_output({options.chain.matrix, options.chain.sequence});
  ProgressBar bar(options.model.general.quiet);
  const ChainInput input = read_chain(options.chain, bar.callback());
  if (options.compare) return compare(options, input.model, budget, bar);
  const auto observed = observed_of(options, input);
  const std::string method =
      options.chain.method.empty() ? std::string(kUsualChainMethod) : options.chain.method;
  const ModelPlan plan = calibrate(input.model, budget, method, bar.callback());
  finish(options.model, plan, observed, bar.callback());
}

}  // namespace

Command add_chain(CLI::App& parent) {
  CLI::App* command = parent.add_subcommand(
      "chain", "hide the state at any one time when releasing how often states occur in a Markov chain");
  auto options = std::make_shared<ChainFlags>();
  add_flags(*command, options->chain);
  add_flag(
      *command,
      Flag{"compare", FlagKind::kSwitch, "", "Method", "show every method side by side; no plan"}.everyday(),
      options->compare);
  add_model_options(*command, options->model,
                    "release the true numbers: - reads them from standard input, sequence counts them");
  command->footer(
      "fugu model chain --matrix chain.json --length 100 --state on --epsilon 1 --compare\n"
      "fugu model chain --matrix chain.json --length 100 --state on --epsilon 1 -o plan.json\n"
      "echo 37 | fugu model chain --matrix chain.json --length 100 --state on --epsilon 1 "
      "--observed -\n"
      "fugu model chain --sequence states.csv --histogram --epsilon 2 --observed sequence\n");
  return {command, [options] { run(*options); }};
}

}  // namespace fugu::cli
