// fugu chain: how often states occur in a sequence that is a Markov chain.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "apps/cli/commands.h"
#include "apps/cli/model_options.h"
#include "apps/cli/options.h"
#include "apps/cli/progress.h"
#include "apps/cli/text_io.h"
#include "apps/cli/usage_error.h"
#include "fugu/calibrate/chain.h"
#include "fugu/core/error.h"
#include "fugu/models/chain.h"
#include "fugu/models/chain_law.h"
#include "fugu/models/chain_sequence.h"
#include "fugu/report/text_table.h"
#include "fugu/report/wording.h"

namespace fugu::cli {
namespace {

struct ChainOptions {
  std::string matrix, sequence, column, separator, length, state, method;
  bool no_header = false, histogram = false, frequency = false, compare = false;
  ModelOptions model;
};

void check_flags(const ChainOptions& options) {
  if (options.matrix.empty() == options.sequence.empty())
    throw usage("give one of --matrix and --sequence", "--matrix names a chain, --sequence a list of states");
  if (options.state.empty() != options.histogram)
    throw usage("give one of --state and --histogram",
                "--state NAME counts one state, --histogram every state");
  if (options.sequence.empty()) {
    if (options.length.empty())
      throw usage("--length is missing", "say how many times the sequence has, for example --length 100");
    for (const auto& [given, flag] : {std::pair{!options.column.empty(), "--column"},
                                      {!options.separator.empty(), "--separator"},
                                      {options.no_header, "--no-header"},
                                      {options.model.observed == "sequence", "--observed sequence"}})
      if (given) throw usage(std::string(flag) + ": there is no --sequence", "leave it out");
  }
  const std::string& observed = options.model.observed;
  if (!observed.empty() && observed != "-" && observed != "sequence")
    throw usage("--observed: this is neither - nor sequence",
                "- reads the true numbers from standard input, sequence counts them in --sequence");
  if (observed == "sequence" && !options.length.empty())
    throw usage("--length: the sequence has its own length", "leave out --length");
  if (observed == "-" && (options.sequence == "-" || options.matrix == "-"))
    throw usage("--observed -: standard input is read already", "give the other input a file");
  if (options.compare && (!options.method.empty() || !observed.empty() || !options.model.output.empty()))
    throw usage("--compare makes no plan", "leave out --method, --observed and -o");
}

uint64_t read_length(const std::string& text) {
  const auto value = parse_number(text);
  if (!value || denominator(*value) != 1 || *value < 1 || *value > ChainModel::kLongest)
    throw usage("--length: this is no whole number from 1 to 1000000", "for example --length 100");
  return static_cast<uint64_t>(numerator(*value));
}

struct Input {
  ChainModel model;
  std::vector<uint64_t> occurrences = {};  // in the sequence
};

Input read_input(const ChainOptions& options, const Progress& progress) {
  Input input;
  if (options.sequence.empty()) {
    const std::string place = options.matrix == "-" ? "standard input" : options.matrix;
    const Json json = parse_json(read_text(options.matrix), place);
    for (const char* key : {"kind", "length", "counted", "frequency", "estimated"})
      if (json.find(key))
        throw Error(ErrorKind::kData, fmt::format("{}: \"{}\" is no part of a chain's file", place, key),
                    "give \"states\" and \"chains\"; the rest comes from the flags");
    input.model = chain_from_json(json, place);
  } else {
    const CsvOptions csv{.separator = read_separator(options.separator), .header = !options.no_header};
    const StateSequence sequence = read_sequence(options.sequence, options.column, csv, progress);
    input.model = estimate_chain(sequence, options.sequence == "-" ? "standard input" : options.sequence);
    input.occurrences = sequence.occurrences;
  }
  ChainModel& model = input.model;
  if (!options.length.empty()) model.length = read_length(options.length);
  model.frequency = options.frequency;
  if (!options.histogram) {
    const auto found = std::find(model.states.begin(), model.states.end(), options.state);
    if (found == model.states.end())
      throw usage("--state: the chain has no such state", "name one of its states as it is written there");
    model.counted = static_cast<size_t>(found - model.states.begin());
  }
  return input;
}

// The true numbers: of the sequence, or from standard input.
std::optional<std::vector<int64_t>> observed_of(const ChainOptions& options, const Input& input) {
  const ChainModel& model = input.model;
  if (options.model.observed.empty()) return std::nullopt;
  const auto length = static_cast<int64_t>(model.length);
  if (options.model.observed == "-") {
    auto numbers = read_observed(model.lattice(), model.counted ? 1 : model.states.size(), 0, length);
    int64_t sum = 0;
    for (int64_t number : numbers) sum += number;
    if (!model.counted && sum != length)
      throw Error(ErrorKind::kData, "standard input: the numbers do not add up to the length",
                  "give one for each state, in the order of the states");
    return numbers;
  }
  std::vector<int64_t> numbers;
  for (size_t x = 0; x < model.states.size(); ++x)
    if (!model.counted || x == *model.counted) numbers.push_back(static_cast<int64_t>(input.occurrences[x]));
  return numbers;
}

void compare(const ChainOptions& options, const ChainModel& model, const Budget& budget, ProgressBar& bar) {
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

void run(const ChainOptions& options) {
  (void)options.model.general.json();
  const auto threads = options.model.general.limit_threads();
  check_flags(options);
  const Budget budget = options.model.budget();
  options.model.check_output({options.matrix, options.sequence});
  ProgressBar bar(options.model.general.quiet);
  const Input input = read_input(options, bar.callback());
  if (options.compare) return compare(options, input.model, budget, bar);
  const auto observed = observed_of(options, input);
  const std::string method = options.method.empty() ? best_chain_method(input.model) : options.method;
  ModelPlan plan = calibrate(input.model, budget, method, bar.callback());
  if (options.method.empty() && method != "exact" && input.model.counted)
    plan.notes.push_back("Quilts were used, because " + *ChainLaw::infeasible(input.model) + ".");
  finish(options.model, plan, observed, bar.callback());
}

}  // namespace

Command add_chain(CLI::App& program) {
  CLI::App* command = program.add_subcommand(
      "chain", "hide the state at any one time behind how often states occur in a Markov chain");
  auto options = std::make_shared<ChainOptions>();
  auto text = [&](const char* name, std::string& to, const char* help, const char* type, const char* group) {
    command->add_option(name, to, help)->type_name(type)->group(group);
  };
  auto flag = [&](const char* name, bool& to, const char* help, const char* group) {
    command->add_flag(name, to, help)->disable_flag_override()->group(group);
  };
  text("--matrix", options->matrix, "file with the states and one or more chains, JSON", "FILE", "Model");
  text("--sequence", options->sequence, "table with one state in each record; the chain is estimated from it",
       "TABLE", "Model");
  text("--column", options->column, "the sequence's column with the states: name or number", "COL", "Model");
  text("--separator", options->separator, "of the sequence's fields: , ; or tab; found out when not given",
       "CHAR", "Model");
  flag("--no-header", options->no_header, "the sequence's first line is a state", "Model");
  text("--length", options->length, "how many times the sequence has; that of --sequence when not given", "T",
       "Model");
  text("--state", options->state, "release how often this state occurs", "NAME", "Query");
  flag("--histogram", options->histogram, "release how often each state occurs", "Query");
  flag("--frequency", options->frequency, "as a share of the length in place of a count", "Query");
  text("--method", options->method,
       "group, quilt-approx, quilt or exact; exact where it is feasible, else quilt", "METHOD", "Method");
  flag("--compare", options->compare, "show every method side by side", "Method");
  add_model_options(*command, options->model,
                    "release the true numbers: - reads them from standard input, sequence counts them");
  command->footer(
      "fugu chain --matrix examples/chain.json --length 100 --state on --epsilon 1 --compare\n"
      "fugu chain --matrix examples/chain.json --length 100 --state on --epsilon 1 -o plan.json\n"
      "echo 37 | fugu chain --matrix examples/chain.json --length 100 --state on --epsilon 1 --observed -\n"
      "fugu chain --sequence states.csv --histogram --epsilon 2 --observed sequence\n");
  return {command, [options] { run(*options); }};
}

}  // namespace fugu::cli
