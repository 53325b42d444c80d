// fugu release: a table in, its column with exact noise out, with receipt and plan.
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "apps/cli/commands.h"
#include "apps/cli/database.h"
#include "apps/cli/held_back.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/ledger_options.h"
#include "apps/cli/options.h"
#include "apps/cli/progress.h"
#include "apps/cli/text_io.h"
#include "apps/cli/usage_error.h"
#include "fugu/ask/lists.h"
#include "fugu/ask/plan_io.h"
#include "fugu/ask/plan_options.h"
#include "fugu/ask/release_texts.h"
#include "fugu/calibrate/calibrate.h"
#include "fugu/database/database_url.h"
#include "fugu/ledger/ledger_names.h"
#include "fugu/release/kept_columns.h"
#include "fugu/release/release_database.h"
#include "fugu/release/release_file.h"
#include "fugu/report/plan_text.h"
#include "fugu/report/shaping.h"
#include "fugu/show/wording.h"

namespace fugu::cli {
namespace {

struct ReleaseOptions : ReleaseTexts, ReleaseOutput {
  QuestionOptions question;
  GeneralOptions general;
  PlanOptions making;
  LedgerOptions ledger;
};

void check_into(const ReleaseOptions& options) {
  if (!is_database(options.question.table)) {
    throw usage("--into: TABLE is no database",
                "a new table is made in the database that is read; give -o FILE");
  }
  if (!options.output.empty()) throw usage("--into: -o is given as well", "give one of them");
}

void check_flags(const ReleaseOptions& options) {
  const QuestionOptions& ask = options.question;
  if (ask.table.empty()) throw usage("no table is given", "name the table to be released");
  if (options.output.empty() && options.into.empty()) {
    throw usage("-o: no output is given", is_database(ask.table)
                                              ? "name the file to write with -o, or a new table with --into"
                                              : "name the file to write, for example -o out.csv");
  }
  if (!options.into.empty()) check_into(options);
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
  if (!ask.people.empty() && options.plan.empty()) {
    throw usage("--count: a row of the table stands for several people, and a release has a row for each",
                "write the table out with one row a person, and release that");
  }
  options.ledger.check();
  if (options.ledger.given() && !options.keep_unprotected.empty()) {
    throw usage("--keep-unprotected: with a ledger no other column may go along",
                "a second column is not counted: leave it out, or release without --ledger");
  }
  if (options.plan.empty()) return;
  std::string misplaced = said_already(ask, "plan");
  if (misplaced.empty()) misplaced = said_already(options.making, "plan");
  if (misplaced.empty() && !ask.missing.empty() && ask.missing != "drop") misplaced = "--missing";
  if (!misplaced.empty()) {
    throw usage(fmt::format("{}: the plan says this already", misplaced),
                fmt::format("leave out {}, or leave out --plan to make a new plan", misplaced));
  }
}

uint64_t size_of(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 ? static_cast<uint64_t>(status.st_size) : 0;
}

// What is written may be none of what is read, and not the ledger.
void check_outputs(const ReleaseOptions& options, const std::vector<std::string>& outputs,
                   const std::string& plan_path) {
  std::vector<std::string> inputs = options.question.priors;
  inputs.insert(inputs.end(), {file_behind(options.question.table), options.plan});
  for (const std::string& written : outputs) {
    for (const std::string& read : inputs) {
      if (same_file(written, read) && (written != plan_path || options.plan.empty()))
        throw usage(fmt::format("{}: this is the input", written), "give the output another name");
    }
  }
  if (!options.ledger.given()) return;
  // By name, too: neither of them need exist yet.
  auto place = [](const std::string& path) {
    return std::filesystem::weakly_canonical(std::filesystem::absolute(path));
  };
  for (const std::string& written : outputs) {
    if (same_file(written, options.ledger.path) || place(written) == place(options.ledger.path))
      throw usage(fmt::format("{}: this is the ledger", written), "give the output another name");
  }
  if (is_database(options.question.table) &&
      same_file(file_behind(options.question.table), options.ledger.path))
    throw usage(fmt::format("{}: this is the table's database", options.ledger.path),
                "give the ledger a file of its own");
}

// A release from its flags to what is said of it.
class ReleaseRun {
 public:
  explicit ReleaseRun(const ReleaseOptions& options) : options_(options), bar_(options.general.quiet) {
    if (options.plan.empty()) file_.plan.emplace();
    file_.output = options.output;
    file_.force = options.force;
    to_.into = options.into;
    to_.force = options.force;
    to_.plan = file_.plan;
  }

  void run() {
    const bool json = options_.general.json();
    if (to_table()) {
      check_outputs(options_, {to_.receipt(), to_.plan_path()}, to_.plan_path());
    } else if (!to_stdout()) {
      check_outputs(options_, {file_.output, file_.receipt(), file_.plan_path()}, file_.plan_path());
      file_.check();
    }
    options_.ledger.check_file();
    open();
    Interruptible interruptible;
    if (to_table()) to_.check(*request_.database);
    make_or_read_plan();
    file_.before_it_appears = to_.before_it_appears = [this](const ReleaseSummary& seen) { spend(seen); };
    if (to_stdout()) {
      return release_to_stdout();
    }
    const FileReleased released = release();
    interruptible.too_late();
    appeared();
    bar_.clear();
    warn_of_what_is_told(released.summary);
    try {
      say(released, json);
    } catch (const Error&) {
      // It is released and cannot be taken back: whoever does not listen must not think that it failed.
    }
  }

 private:
  bool to_stdout() const { return options_.output == "-"; }
  bool to_table() const { return !options_.into.empty(); }

  void open() {
    question_ = options_.question;
    request_ = {.input = question_.table,
                .separator = read_separator(question_.separator),
                .keep = split_list(options_.keep, "--keep"),
                .keep_unprotected = split_list(options_.keep_unprotected, "--keep-unprotected"),
                .new_data = options_.new_data,
                .database = open_for(question_, to_table()),
                .drop = !options_.plan.empty() && question_.missing == "drop",
                .rows_independent = question_.rows_independent,
                .shuffle = options_.shuffle,
                .digest_rows = options_.ledger.given(),
                .values_unchanged = options_.ledger.values_unchanged,
                .publish_min = read_publish_min(options_.publish_min)};
  }

  void make_or_read_plan() {
    if (!options_.plan.empty()) {
      proved_ = read_and_verify(options_.plan);
      return;
    }
    if (request_.database) {
      request_.same_rows = request_.database->repeats();
    } else {
      request_.counted = file_state(question_.table);
    }
    const std::string noise = one_noise(question_);
    check_one_epsilon(question_);
    options_.making.check(noise);
    const Question question = read_question(question_, bar_.callback());
    if (question.rows) request_.total = question.rows->rows;
    check_publishable(question.scenario, request_.publish_min);  // before the search, which may be long
    Plan plan = calibrate(question.scenario, options_.making.method_name(), noise, bar_.callback(),
                          read_optimum(options_.making, question.scenario));
    to_.plan = file_.plan = plan_to_json(plan).pretty();
    Witness witness = plan.witness;
    proved_ = ProvedPlan{std::move(plan), std::move(witness)};
  }

  // The ledger keeps it however it ends, so that it counts only when the plan and the columns are right.
  void release_to_stdout() {
    const auto& source = proved_->plan.scenario.source;
    const bool keeps = !request_.keep.empty() || !request_.keep_unprotected.empty();
    if (keeps && (request_.drop || (source && source->missing == Missing::kDrop))) {
      throw usage("-o -: rows may be left out, which kept columns show, and this cannot be taken back",
                  "give -o FILE, which appears when all rows are released, or leave out the kept columns");
    }
    FileSink out(STDOUT_FILENO, "standard output", Compression::kNone);
    HeldBack sink(out);
    auto open = [&](const std::vector<NewColumn>&) -> ByteSink& {
      spend({});  // before a row is read
      return sink;
    };
    const ReleaseSummary summary = release_table(request_, proved_->plan, open, bar_.callback());
    appeared();
    bar_.clear();
    warn_of_what_is_told(summary);
  }

  FileReleased release() {
    if (to_table()) return release_to_database(request_, proved_->plan, to_, bar_.callback());
    return release_to_file(request_, proved_->plan, file_,
                           request_.database ? bar_.callback() : bar_.callback(size_of(question_.table)));
  }

  // Where the release appears, as the ledger keeps it.
  std::string output() const {
    if (to_table()) return fmt::format("{} {}", request_.database->place(), options_.into);
    return to_stdout() ? "" : options_.output;
  }

  // Written down before anything appears: what is killed in between has spent and not released.
  void spend(const ReleaseSummary& summary) {
    if (!options_.ledger.given()) return;
    const SpendRequest spending =
        with_release(options_.ledger.request(output()), request_, proved_->plan, summary);
    counted_in_.emplace(Ledger::spend(options_.ledger.path, proved_->plan, spending, bar_.callback()));
  }

  void appeared() {
    if (!counted_in_) return;
    try {
      counted_in_->first.mark_done(counted_in_->second.id);
    } catch (const Error&) {
      // It stays written down as spent and counts all the same.
    }
  }

  void warn_of_what_is_told(const ReleaseSummary& summary) const {
    const auto& source = proved_->plan.scenario.source;
    if (!summary.kept_unprotected.empty()) {
      warn(unprotected_warning(summary.kept_unprotected,
                               source && source->person ? source->person->column : std::string()));
    }
    const std::string range = range_warning(proved_->plan, request_.publish_min);
    if (!range.empty()) warn(range);
  }

  void say(const FileReleased& released, bool json) const {
    if (json) {
      Json said = released.receipt;
      if (counted_in_) said.add("ledger", spent_to_json(counted_in_->second));
      const std::string hint = shaping_hint(proved_->plan).sentence();
      if (!hint.empty()) said.add("hint", Json::string(hint));
      return print(said.pretty());
    }
    const ReleaseSummary& summary = released.summary;
    print(
        fmt::format("Released {}{} to {}{}.\n{}", counted(summary.released, "row"),
                    proved_->plan.scenario.source->person ? ", one of each person," : "",
                    to_table() ? "table " + printable(options_.into) : printable(options_.output),
                    summary.dropped > 0
                        ? fmt::format(", and dropped {} with {}", counted(summary.dropped, "row"),
                                      request_.drop ? "a field that is missing or that the plan does not know"
                                                    : "a missing field")
                        : "",
                    plan_summary(proved_->plan)));
    if (options_.new_data)
      print(
          "  new data   the promise is for rows that follow the plan's priors and have one of its secrets\n");
    print(fmt::format("  receipt    {} may be published with it\n",
                      printable(to_table() ? to_.receipt() : file_.receipt())));
    if (options_.plan.empty()) {
      print(fmt::format("  plan       {} holds the counts: keep it to yourself\n",
                        printable(to_table() ? to_.plan_path() : file_.plan_path())));
    }
    if (counted_in_) print(spent_text(counted_in_->second));
    print(shaping_hint(proved_->plan).text());
  }

  const ReleaseOptions& options_;
  QuestionOptions question_;
  FileRelease file_;
  DatabaseRelease to_;
  ReleaseRequest request_;
  ProgressBar bar_;
  std::optional<ProvedPlan> proved_;
  std::optional<std::pair<Ledger, Spent>> counted_in_;
};

void run(const ReleaseOptions& options) {
  options.general.json();  // before any work
  const auto threads = options.general.limit_threads();
  check_flags(options);
  ReleaseRun(options).run();
}

}  // namespace

Command add_release(CLI::App& program) {
  CLI::App* command = program.add_subcommand(
      "release", "release a column, or several, with exact noise, by a plan or at once");
  auto options = std::make_shared<ReleaseOptions>();
  add_flags(*command, options->question);
  add_flags(*command, options->making);
  add_flags<ReleaseTexts>(*command, *options);
  command->add_flag("--digest")->group("");  // 0.1 had to be asked for what is always done now
  add_ledger_options(*command, options->ledger);
  add_flags<ReleaseOutput>(*command, *options);
  add_general_options(*command, options->general);
  command->footer(
      "fugu release fugu-demo/adult-occupation.csv --secret race --public occupation --epsilon 0.5 -o "
      "out.csv\n"
      "fugu release fugu-demo/adult-occupation.csv --plan fugu-demo/plan.json -o out.csv.gz\n"
      "fugu release fugu-demo/adult-occupation.csv --plan fugu-demo/plan.json -o out.csv --ledger budget.db "
      "--dataset adult --budget 1\n"
      "fugu release postgresql:///census --table adult --secret race --public occupation --epsilon 0.5 "
      "--into "
      "adult_released\n");
  return {command, [options] { run(*options); }};
}

}  // namespace fugu::cli
