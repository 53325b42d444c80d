// fugu count: a count, or any sum, over independent users.
#include <fmt/format.h>
#include <unistd.h>

#include <charconv>
#include <memory>

#include "apps/cli/commands.h"
#include "apps/cli/model_options.h"
#include "apps/cli/progress.h"
#include "apps/cli/text_io.h"
#include "apps/cli/usage_error.h"
#include "fugu/ask/lists.h"
#include "fugu/calibrate/crowd.h"
#include "fugu/models/crowd_scenario.h"
#include "fugu/models/crowd_table.h"
#include "fugu/report/comparison.h"
#include "fugu/report/wording.h"
#include "fugu/scenario/scenario_json.h"

namespace fugu::cli {
namespace {

// Empty text is a flag not given.
struct CountOptions {
  std::string users, p, probabilities, letters, values, pairs, noise, expand;
  bool compare = false;
  ModelOptions model;
};

CrowdPairs read_pairs(const std::string& text) {
  if (text.empty()) return CrowdPairs::kBoth;
  for (CrowdPairs pairs : {CrowdPairs::kBoth, CrowdPairs::kValues, CrowdPairs::kAbsent}) {
    if (text == crowd_pairs_name(pairs)) return pairs;
  }
  throw usage(fmt::format("--pairs: '{}' is unknown", text), "use one of both, values, absent");
}

uint64_t read_users(const std::string& text) {
  uint64_t users = 0;
  const char* end = text.data() + text.size();
  const auto [read, failed] = std::from_chars(text.data(), end, users);
  if (failed != std::errc() || read != end || users < 1 || users > 10'000'000) {
    throw usage(fmt::format("--users: '{}' is not a number of users", text),
                "give a number from 1 to 10,000,000");
  }
  return users;
}

// Users who are all alike are read as one, and copied.
UserBeliefs read_beliefs(const CountOptions& options, const std::vector<std::string>& letters) {
  if (!options.probabilities.empty()) {
    const std::string place = options.probabilities == "-" ? "standard input" : options.probabilities;
    return beliefs_of(read_user_table(options.probabilities), letters, place);
  }
  const auto p = parse_number(options.p);
  if (!p || *p < 0 || *p > 1)
    throw usage(fmt::format("--p: '{}' is not a probability", options.p),
                "give a number from 0 to 1, such as 0.7");
  return beliefs_of({{}, {{*p}}, {1}}, letters, "--p");
}

// A list of numbers, or the name of a file.
std::vector<std::vector<Rational>> read_values(const std::string& text,
                                               const std::vector<std::string>& letters) {
  std::vector<Rational> row;
  if (text.empty()) {
    for (size_t k = 0; k < letters.size(); ++k) row.emplace_back(k);
    return {row};
  }
  const auto items = split_list(text, "--values");
  for (const std::string& item : items) {
    if (const auto value = parse_number(item)) row.push_back(*value);
  }
  if (row.size() == items.size()) return {row};
  if (items.size() == letters.size() && items.size() > 1 && access(text.c_str(), F_OK) != 0)
    throw usage("--values: not every value is a number", "for example --values 0,1,5, or the name of a file");
  return values_of(read_user_table(text), letters, text == "-" ? "standard input" : text);
}

void check_flags(const CountOptions& options) {
  const bool alike = !options.users.empty() || !options.p.empty();
  if (options.probabilities.empty() == !alike) {
    throw usage(alike ? "--probabilities: the users are given already" : "no users are given",
                "give --users N --p P for users who are alike, or --probabilities FILE");
  }
  if (alike && (options.users.empty() || options.p.empty()))
    throw usage(options.p.empty() ? "--p is missing" : "--users is missing",
                "for example --users 25 --p 0.7");
  if (!options.model.observed.empty() && options.model.observed != "-")
    throw usage("--observed: the true number comes from standard input only",
                "write --observed -, and pipe the number in: a command line can be seen by others");
  if (!options.model.observed.empty() && (options.probabilities == "-" || options.values == "-"))
    throw usage("--observed -: standard input is for the true number", "read the users from a file");
  if (!options.expand.empty() || options.compare) {
    const char* flag = options.compare ? "--compare" : "--expand";
    if (!options.model.observed.empty() || !options.model.output.empty() ||
        (options.compare && !options.expand.empty()))
      throw usage(fmt::format("{}: this makes no plan and releases nothing", flag),
                  "run fugu count without it for --observed or -o");
  }
}

Crowd read_crowd(const CountOptions& options) {
  UserBeliefs beliefs = read_beliefs(options, split_list(options.letters, "--letters"));
  const auto values = read_values(options.values, beliefs.letters);
  if (options.users.empty()) return make_crowd(std::move(beliefs), values, read_pairs(options.pairs));
  if (values.size() > 1)
    throw usage("--values: users who are alike have the same values",
                "give one list, or --probabilities FILE");
  Crowd crowd = make_crowd(std::move(beliefs), values, read_pairs(options.pairs));
  crowd.users.front().copies = read_users(options.users);
  return crowd;
}

std::vector<std::string> read_noises(const CountOptions& options, const Budget& budget) {
  std::vector<std::string> noises = split_list(options.noise, "--noise");
  for (const std::string& name : noises) family_named(name);
  if (noises.empty()) noises = {"laplace"};
  if (options.noise.empty() && options.compare && !budget.delta.is_zero()) noises.emplace_back("gaussian");
  if (noises.size() > 1 && !options.compare)
    throw usage("--noise: a plan has one noise", "name one, or add --compare to see them side by side");
  return noises;
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
  const auto noises = read_noises(options, budget);
  if (!options.users.empty()) read_users(options.users);
  read_pairs(options.pairs);
  options.model.check_output({options.probabilities, options.values});

  const Crowd crowd = read_crowd(options);
  if (!options.expand.empty()) return expand(options, crowd, budget);
  ProgressBar bar(options.model.general.quiet);
  if (options.compare) {
    const Comparison comparison{budget.epsilon, budget.delta, compare(crowd, budget, noises, bar.callback())};
    bar.clear();
    return print(json ? comparison_to_json(comparison).pretty() : comparison_text(comparison));
  }
  std::optional<std::vector<int64_t>> observed;
  if (!options.model.observed.empty()) {
    const auto [low, high] = bounds_of(crowd);
    observed = read_observed(crowd.lattice, 1, low, high);
  }
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
  text(kUsers, "--users", options->users, "N", "this many users who are alike, with --p");
  text(kUsers, "--p", options->p, "P", "the probability that a user says 1, the second letter");
  text(kUsers, "--probabilities", options->probabilities, "FILE",
       "CSV file with a line for each user: the probability of 1, or one for each letter; - is standard "
       "input");
  text(kUsers, "--letters", options->letters, "a,b,c",
       "what a user can say; the header of the file, or 0,1 when not given");
  text(kUsers, "--values", options->values, "0,1,5|FILE",
       "what each letter adds to the sum, for all users, or a CSV file with a line for each; 0,1,2,... when "
       "not given");
  text(kUsers, "--pairs", options->pairs, "both|values|absent",
       "what must not be told apart: two letters of a user, a letter and the user's absence (a letter drawn "
       "by the "
       "user's own probabilities), or both, when not given");
  text("Budget", "--noise", options->noise, "laplace|gaussian|power:P|log:ETA",
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
