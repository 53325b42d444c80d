#include "fugu/run/release_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "fugu/ask/flags.h"
#include "fugu/ask/lists.h"
#include "fugu/calibrate/calibrate.h"
#include "fugu/count/database_rows.h"
#include "fugu/database/database_url.h"
#include "fugu/file/text_file.h"
#include "fugu/run/ledger_request.h"

namespace fugu::inline in_run {
namespace {

constexpr size_t kMostOrder = size_t{256} << 20;  // bytes for the order of a table's rows

void check_into(const ReleaseAsked& asked) {
  if (!is_database(asked.question.table)) {
    throw usage("--into: TABLE is not a database",
                "--into makes a table in the database that is read; give -o FILE");
  }
  if (!asked.output.empty()) throw usage("--into: -o is also given", "give one of them");
}

void check_said_by_plan(const ReleaseAsked& asked) {
  std::string misplaced = said_already(asked.question, "plan");
  if (misplaced.empty()) misplaced = said_already(asked.making, "plan");
  const std::string& missing = asked.question.missing;
  if (misplaced.empty() && !missing.empty() && missing != "drop") misplaced = "--missing";
  if (!misplaced.empty()) {
    throw usage(fmt::format("{}: the plan says this already", misplaced),
                fmt::format("leave out {}, or leave out --plan to make a new plan", misplaced));
  }
}

void check_flags(const ReleaseAsked& asked) {
  const QuestionOptions& ask = asked.question;
  if (ask.table.empty()) throw usage("no table is given", "name the table to release");
  if (asked.output.empty() && asked.into.empty()) {
    throw usage("-o: no output is given", is_database(ask.table)
                                              ? "name the file to write with -o, or a new table with --into"
                                              : "name the file to write, for example -o out.csv");
  }
  if (!asked.into.empty()) check_into(asked);
  if (!ask.scenario.empty())
    throw usage("--scenario: a release needs a table", "give the plan made from it with --plan");
  const bool streams = ask.table == "-" || asked.output == "-";
  if (streams && (asked.plan.empty() || !asked.new_data)) {
    throw usage(
        "-: a release from standard input or to standard output happens in one pass and cannot be undone",
        "make the plan first, then give --plan and --new-data");
  }
  if (asked.new_data && asked.plan.empty()) {
    throw usage("--new-data: there is no plan", "new data needs an existing plan: give --plan");
  }
  if (asked.nearest && !asked.new_data) {
    throw usage("--nearest: this is for new data only", "the plan has every row of its own table");
  }
  if (asked.shuffle && asked.keep_order)
    throw usage("--keep-order: --shuffle is also given", "give one of them");
  check_ledger(asked.ledger, !asked.keep_unprotected.empty());
  if (!ask.people.empty() && asked.plan.empty()) {
    throw usage("--count: a row of the table stands for several people, and a release needs a row for each",
                "write the table with one row per person, and release that");
  }
  if (!asked.plan.empty()) check_said_by_plan(asked);
}

// Where a file is or would be: neither of two need exist yet, and others may be replacing it.
std::filesystem::path place(const std::string& path) {
  const std::filesystem::path whole = std::filesystem::absolute(path).lexically_normal();
  std::error_code failed;
  const std::filesystem::path folder = std::filesystem::weakly_canonical(whole.parent_path(), failed);
  return (failed ? whole.parent_path() : folder) / whole.filename();
}

// What is written may be none of what is read, not the ledger, and nothing twice.
void check_names(const ReleaseAsked& asked, const std::vector<std::string>& outputs,
                 const std::string& plan_path) {
  std::vector<std::string> inputs = asked.question.priors;
  inputs.insert(inputs.end(), {file_behind(asked.question.table), asked.plan, asked.job});
  for (const std::string& written : outputs) {
    for (const std::string& read : inputs) {
      if (same_file(written, read) && (written != plan_path || asked.plan.empty()))
        throw usage(fmt::format("{}: this is the input", written), "give the output another name");
    }
  }
  for (size_t k = 0; k < outputs.size(); ++k) {
    for (size_t j = 0; j < k; ++j) {
      if (place(outputs[j]) == place(outputs[k]))
        throw usage(fmt::format("{}: this is another output", outputs[k]),
                    "give each output a different name");
    }
  }
  if (!asked.ledger.given()) return;
  for (const std::string& written : outputs) {
    if (same_file(written, asked.ledger.path) || place(written) == place(asked.ledger.path))
      throw usage(fmt::format("{}: this is the ledger", written), "give the output another name");
  }
  if (is_database(asked.question.table) && same_file(file_behind(asked.question.table), asked.ledger.path))
    throw usage(fmt::format("{}: this is the table's database", asked.ledger.path),
                "give the ledger another file");
}

}  // namespace

ReleaseAsked asked_of(const Job& job) {
  ReleaseAsked asked;
  static_cast<ReleaseTexts&>(asked) = job.release;
  static_cast<ReleaseOutput&>(asked) = job.output;
  asked.question = job.question;
  asked.making = job.plan;
  asked.ledger = job.ledger;
  asked.files = job.files;
  asked.job = job.path;
  return asked;
}

ReleaseRun::ReleaseRun(ReleaseAsked asked) : asked_(std::move(asked)), beside_(asked_.files, asked_.force) {
  check_flags(asked_);
  if (asked_.plan.empty()) file_.plan.emplace();
  file_.output = asked_.output;
  to_.into = asked_.into;
  file_.force = to_.force = asked_.force;
  file_.receipt_name = to_.receipt_name = asked_.files.receipt;
  file_.plan_name = to_.plan_name = asked_.files.plan;
  to_.plan = file_.plan;
}

std::vector<std::string> ReleaseRun::outputs() const {
  std::vector<std::string> written;
  if (to_stdout()) return written;
  if (!to_table()) written.push_back(file_.output);
  written.insert(written.end(), {receipt(), plan_path()});
  for (const std::string& path : {asked_.files.statement, asked_.files.report}) {
    if (!path.empty()) written.push_back(path);
  }
  return written;
}

void ReleaseRun::check() const {
  if (!to_stdout()) {
    check_names(asked_, outputs(), plan_path());
    if (!to_table()) file_.check();
    beside_.check();
  }
  check_ledger_file(asked_.ledger);
}

void ReleaseRun::open(const std::function<void()>& stop) {
  question_ = asked_.question;
  auto database = open_database_of(question_, to_table(), stop);
  question_.remembered = std::make_shared<RememberedRows>(takes_remembered_order() ? kMostOrder : 0);
  if (database) question_.rows = std::make_shared<DatabaseRows>(database, question_.remembered);
  request_ = {.input = question_.table,
              .separator = read_separator(question_.separator),
              .keep = split_list(asked_.keep, "--keep"),
              .keep_unprotected = split_list(asked_.keep_unprotected, "--keep-unprotected"),
              .new_data = asked_.new_data,
              .nearest = asked_.nearest,
              .database = std::move(database),
              .drop = !asked_.plan.empty() && question_.missing == "drop",
              .rows_independent = question_.rows_independent,
              .shuffle = asked_.shuffle,
              .keep_order = asked_.keep_order,
              .digest_rows = asked_.ledger.given(),
              .values_unchanged = asked_.ledger.values_unchanged,
              .publish_min = read_publish_min(asked_.publish_min)};
}

// What are_alone() will say, as far as the flags tell: only memory depends on it.
bool ReleaseRun::takes_remembered_order() const {
  const QuestionOptions& ask = asked_.question;
  const std::string* besides[] = {&asked_.keep, &asked_.keep_unprotected, &ask.known, &ask.person,
                                  &ask.weight};
  return !asked_.ledger.given() &&
         std::ranges::all_of(besides, [](const std::string* text) { return text->empty(); });
}

void ReleaseRun::check_table() const {
  if (to_table()) to_.check(*request_.database);
}

void ReleaseRun::make_plan(const Progress& progress) {
  if (!asked_.plan.empty()) {
    proved_ = read_and_verify(asked_.plan);
    return;
  }
  if (request_.database) {
    request_.same_rows = request_.database->repeats();
  } else {
    request_.counted = file_state(question_.table);
  }
  // Two openings of what is no file (a pipe) are not the same rows.
  if (request_.database || request_.counted) request_.counted_rows = question_.remembered;
  const std::string noise = one_noise(question_);
  check_one_epsilon(question_);
  asked_.making.check(noise);
  const Question question = read_question(question_, progress);
  if (question.rows) request_.total = question.rows->rows;
  check_publishable(question.scenario, method_for(question.scenario, question_, asked_.making).method,
                    request_.publish_min);
  Plan plan = fugu::make_plan(question.scenario, question_, asked_.making, progress);
  to_.plan = file_.plan = plan_to_json(plan).pretty();
  beside_.write_report(plan, asked_.page, progress);
  Witness witness = plan.witness;
  proved_ = ProvedPlan{std::move(plan), std::move(witness)};
}

FileReleased ReleaseRun::release(const Progress& progress, const std::string& time) {
  FileReleased released;
  spent_ = release_within_budget(budget(time), plan(), request_, progress, [&](const CountIt& count) {
    file_.before_it_appears = to_.before_it_appears = [&](const ReleaseSummary& seen) {
      beside_.write_statement({.plan = plan(),
                               .kept_unprotected = seen.kept_unprotected,
                               .kept = seen.kept,
                               .publish_min = request_.publish_min,
                               .drops = request_.drop,
                               .new_data = request_.new_data});
      count(seen);
    };
    released = to_table() ? release_to_database(request_, plan(), to_, progress)
                          : release_to_file(request_, plan(), file_, progress);
  });
  return released;
}

ReleaseSummary ReleaseRun::release_to(ByteSink& sink, const Progress& progress, const std::string& time) {
  const auto& source = plan().scenario.source;
  if (!request_.keep.empty() || !request_.keep_unprotected.empty() || (source && !source->known.empty())) {
    throw usage(
        "-o -: a row may be refused or left out, the kept columns would show it, and standard output cannot "
        "be undone",
        "give -o FILE, which appears only when all rows are released, or leave out the kept columns");
  }
  ReleaseSummary released;
  spent_ = release_within_budget(budget(time), plan(), request_, progress, [&](const CountIt& count) {
    // The ledger keeps it however it ends, so that it counts only when the plan and the columns are right.
    auto opened = [&](const std::vector<NewColumn>&) -> ByteSink& {
      count({});
      return sink;
    };
    released = release_table(request_, plan(), opened, progress);
  });
  return released;
}

Budgeted ReleaseRun::budget(const std::string& time) const {
  if (!asked_.ledger.given()) return {};
  const std::string place = to_table()    ? fmt::format("{} {}", request_.database->place(), asked_.into)
                            : to_stdout() ? ""
                                          : asked_.output;
  return {asked_.ledger.path, spend_request(asked_.ledger, place, time)};
}

void ReleaseRun::appeared() {
  try {
    beside_.appear();
  } catch (const Error& error) {
    throw Error(error.kind(), error.message() + "; the release was made, but without this file",
                "make it from the plan with fugu statement or fugu report");
  }
}

void check_plan_outputs(const Job& job) {
  ReleaseAsked asked = asked_of(job);
  asked.plan.clear();
  std::vector<std::string> written;
  for (const std::string& path : {job.files.plan, job.files.statement, job.files.report}) {
    if (path.empty()) continue;
    written.push_back(path);
    AtomicFile::check(path, {.force = job.output.force, .option = "--output"});
  }
  check_names(asked, written, "");
}

}  // namespace fugu::inline in_run
