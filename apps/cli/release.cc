// fugu release: a table in, its column with exact noise out, with receipt and plan.
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "apps/cli/commands.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/ledger_options.h"
#include "apps/cli/options.h"
#include "apps/cli/plan_options.h"
#include "apps/cli/progress.h"
#include "apps/cli/text_io.h"
#include "apps/cli/usage_error.h"
#include "fugu/ask/lists.h"
#include "fugu/ask/plan_io.h"
#include "fugu/calibrate/calibrate.h"
#include "fugu/release/release_file.h"
#include "fugu/report/plan_text.h"
#include "fugu/report/wording.h"

namespace fugu::cli {
namespace {

struct ReleaseOptions {
  QuestionOptions question;
  GeneralOptions general;
  PlanOptions making;
  LedgerOptions ledger;
  std::string plan;
  std::string output;
  std::string keep;
  std::string keep_unprotected;
  bool new_data = false, shuffle = false, digest = false, force = false;
};

void check_flags(const ReleaseOptions& options) {
  const QuestionOptions& ask = options.question;
  if (ask.table.empty()) throw usage("no table is given", "name the table to be released");
  if (options.output.empty())
    throw usage("-o: no output is given", "name the file to write, for example -o out.csv");
  if (!ask.scenario.empty())
    throw usage("--scenario: a release needs a table", "give the plan made from it with --plan");
  const bool streams = ask.table == "-" || options.output == "-";
  if (streams && (options.plan.empty() || !options.new_data)) {
    throw usage("-: a release from standard input or to standard output is one pass and cannot be taken back",
                "make the plan first, then give --plan and --new-data");
  }
  if (options.new_data && options.plan.empty()) {
    throw usage("--new-data: there is no plan", "new data is released by a plan made before: give --plan");
  }
  options.ledger.check();
  if (options.ledger.given() && !options.keep_unprotected.empty()) {
    throw usage("--keep-unprotected: with a ledger no other column may go along",
                "a second column is not counted: leave it out, or release without --ledger");
  }
  if (options.plan.empty()) return;
  const std::pair<bool, const char*> misplaced[] = {
      {!ask.secret.empty(), "--secret"},
      {!ask.published.empty(), "--public"},
      {!ask.epsilon.empty(), "--epsilon"},
      {!ask.delta.empty(), "--delta"},
      {!ask.confidence.empty(), "--confidence"},
      {!ask.pairs.empty(), "--pairs"},
      {!ask.noise.empty(), "--noise"},
      {!ask.order.empty(), "--order"},
      {!ask.step.empty(), "--step"},
      {!ask.weights.empty(), "--weights"},
      {ask.shaping_flag() != nullptr, ask.shaping_flag()},
      {!ask.na.empty(), "--na"},
      {!ask.range.empty(), "--range"},
      {!ask.missing.empty() && ask.missing != "drop", "--missing"},
      {!ask.secret_order.empty(), "--secret-order"},
      {!ask.given.empty(), "--given"},
      {!ask.min_group.empty(), "--min-group"},
      {!ask.priors.empty(), "--prior"},
      {!ask.closeness.empty(), "--closeness"},
      {options.making.given() != nullptr, options.making.given()},
      {ask.no_header, "--no-header"}};
  for (const auto& [given, name] : misplaced) {
    if (given) {
      throw usage(fmt::format("{}: the plan says this already", name),
                  fmt::format("leave out {}, or leave out --plan to make a new plan", name));
    }
  }
}

uint64_t size_of(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 ? static_cast<uint64_t>(status.st_size) : 0;
}

ProvedPlan make_plan(const ReleaseOptions& options, FileRelease& file, ProgressBar& bar) {
  const std::string noise = one_noise(options.question);
  check_one_epsilon(options.question);
  options.making.check(noise);
  const Question question = read_question(options.question, bar.callback());
  Plan plan = calibrate(question.scenario, options.making.method_name(), noise, bar.callback(),
                        read_optimum(options.making, question.scenario));
  file.plan = plan_to_json(plan).pretty();
  Witness witness = plan.witness;
  return {std::move(plan), std::move(witness)};
}

void run(const ReleaseOptions& options) {
  const bool json = options.general.json();
  const auto threads = options.general.limit_threads();
  check_flags(options);
  const bool to_stdout = options.output == "-";
  FileRelease file{.output = options.output, .force = options.force, .digest = options.digest};
  if (options.plan.empty()) file.plan.emplace();
  if (!to_stdout) {
    std::vector<std::string> inputs = options.question.priors;
    inputs.insert(inputs.end(), {options.question.table, options.plan});
    for (const std::string& written : {file.output, file.receipt(), file.plan_path()}) {
      for (const std::string& read : inputs) {
        if (same_file(written, read) && (written != file.plan_path() || options.plan.empty())) {
          throw usage(fmt::format("{}: this is the input", written), "give the output another name");
        }
      }
    }
    for (const std::string& written : {file.output, file.receipt(), file.plan_path()}) {
      // By name, too: neither of them need exist yet.
      auto place = [](const std::string& path) {
        return std::filesystem::weakly_canonical(std::filesystem::absolute(path));
      };
      if (options.ledger.given() &&
          (same_file(written, options.ledger.path) || place(written) == place(options.ledger.path)))
        throw usage(fmt::format("{}: this is the ledger", written), "give the output another name");
    }
    file.check();
  }
  ProgressBar bar(options.general.quiet);
  const Interruptible interruptible;
  const auto before = options.plan.empty() ? file_state(options.question.table) : std::nullopt;
  const ProvedPlan proved =
      options.plan.empty() ? make_plan(options, file, bar) : read_and_verify(options.plan);

  const ReleaseRequest request{.input = options.question.table,
                               .separator = read_separator(options.question.separator),
                               .keep = split_list(options.keep, "--keep"),
                               .keep_unprotected = split_list(options.keep_unprotected, "--keep-unprotected"),
                               .new_data = options.new_data,
                               .counted = before,
                               .drop = !options.plan.empty() && options.question.missing == "drop",
                               .shuffle = options.shuffle};
  // Written down before anything appears: what is killed in between has spent and not released.
  std::optional<std::pair<Ledger, Spent>> counted_in;
  if (options.ledger.given()) {
    file.before_it_appears = [&] {
      SpendRequest spending = options.ledger.request(to_stdout ? "" : options.output);
      if (!options.keep.empty()) spending.kept = proved.plan.scenario.source->given;  // all of them, or none
      std::sort(spending.kept.begin(), spending.kept.end());
      counted_in.emplace(Ledger::spend(options.ledger.path, proved.plan, spending, bar.callback()));
    };
  }
  auto appeared = [&] {
    if (!counted_in) return;
    try {
      counted_in->first.mark_done(counted_in->second.id);
    } catch (const Error&) {
      // It stays written down as spent and counts all the same.
    }
  };
  if (to_stdout) {
    if (file.before_it_appears) file.before_it_appears();
    release_table(request, proved.plan, STDOUT_FILENO, "standard output", bar.callback());
    return appeared();
  }
  const auto [summary, receipt] =
      release_to_file(request, proved.plan, file, bar.callback(size_of(options.question.table)));
  appeared();
  bar.clear();
  if (json) {
    Json said = receipt;
    if (counted_in) said.add("ledger", spent_to_json(counted_in->second));
    print(said.pretty());
    return;
  }
  print(fmt::format("Released {} to {}{}.\n{}", counted(summary.released, "row"), printable(options.output),
                    summary.dropped > 0 ? fmt::format(", and dropped {} with a missing field",
                                                      counted(summary.dropped, "row"))
                                        : "",
                    plan_summary(proved.plan)));
  print(fmt::format("  receipt    {} may be published with it\n", printable(file.receipt())));
  if (options.plan.empty())
    print(
        fmt::format("  plan       {} holds the counts: keep it to yourself\n", printable(file.plan_path())));
  if (counted_in) print(spent_text(counted_in->second));
}

}  // namespace

Command add_release(CLI::App& program) {
  CLI::App* command = program.add_subcommand(
      "release", "release a column, or several, with exact noise, by a plan or at once");
  auto options = std::make_shared<ReleaseOptions>();
  add_question_options(*command, options->question);
  add_plan_options(*command, options->making);
  constexpr const char* kRelease = "What is released";
  auto flag = [&](const char* name, bool& value, const char* what) {
    command->add_flag(name, value, what)->disable_flag_override()->group(kRelease);
  };
  command->add_option("--plan", options->plan, "release by this plan; its table is checked to be the same")
      ->type_name("PLAN")
      ->group(kRelease);
  flag("--new-data", options->new_data, "the table is not the plan's: its counts are not compared");
  command->add_option("--keep", options->keep, "carry columns along that the plan was calibrated against")
      ->type_name("COL,...")
      ->group(kRelease);
  command
      ->add_option("--keep-unprotected", options->keep_unprotected,
                   "carry columns along, with no promise about them")
      ->type_name("COL,...")
      ->group(kRelease);
  flag("--shuffle", options->shuffle,
       "rows in random order; needs the output's size and 16 bytes a row in memory");
  add_ledger_options(*command, options->ledger);
  command
      ->add_option("-o,--output", options->output,
                   "the released table; .gz and .zst are compressed; - is standard output")
      ->type_name("FILE")
      ->group("Output");
  command->add_flag("--digest", options->digest, "put the output's SHA-256 into the receipt")
      ->disable_flag_override()
      ->group("Output");
  command->add_flag("--force", options->force, "replace existing files")
      ->disable_flag_override()
      ->group("Output");
  add_general_options(*command, options->general);
  command->footer(
      "fugu release fugu-demo/adult-occupation.csv --secret race --public occupation --epsilon 0.5 -o "
      "out.csv\n"
      "fugu release fugu-demo/adult-occupation.csv --plan fugu-demo/plan.json -o out.csv.gz\n"
      "fugu release fugu-demo/adult-occupation.csv --plan fugu-demo/plan.json -o out.csv --ledger budget.db "
      "--dataset adult --budget 1\n");
  return {command, [options] { run(*options); }};
}

}  // namespace fugu::cli
