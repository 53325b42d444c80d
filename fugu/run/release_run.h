// A release from its texts to its files, in steps: the same for fugu release, fugu run and Python's jobs. Who
// calls them says what is done in between: progress, signals, words.
//
//   ReleaseRun run(asked);      // flags that go together
//   run.check();                // nothing is overwritten
//   run.open();
//   run.make_plan(progress);    // counted, calibrated, proved; or read and proved
//   run.release(progress);      // whole or not at all, counted in the ledger before it appears
//   run.appeared();
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fugu/ask/job.h"
#include "fugu/ask/plan_io.h"
#include "fugu/core/progress.h"
#include "fugu/ledger/release_within_budget.h"
#include "fugu/release/release_database.h"
#include "fugu/release/release_file.h"
#include "fugu/run/plan_files.h"

namespace fugu::inline in_run {

// Empty text is a flag not given.
struct ReleaseAsked : ReleaseTexts, ReleaseOutput {
  QuestionOptions question = {};
  PlanOptions making = {};
  LedgerTexts ledger = {};
  JobFiles files = {};
  std::string job = {};  // the file that says all this, where there is one
  PageAssets page = {};  // of the report, where one is asked for
};
ReleaseAsked asked_of(const Job& job);

// Of a job that ends with the plan, what ReleaseRun::check() is of a release. Error (usage, io).
void check_plan_outputs(const Job& job);

class ReleaseRun {
 public:
  // Error (usage) for flags that do not go together, and what is no request to a ledger.
  explicit ReleaseRun(ReleaseAsked asked);

  bool to_stdout() const { return asked_.output == "-"; }
  bool to_table() const { return !asked_.into.empty(); }
  // The files that will be written.
  std::vector<std::string> outputs() const;

  // What is written may exist only with --force, and may be none of what is read, and not the ledger, which
  // must be its owner's alone. Error (usage, io).
  void check() const;
  // The table, and of a database whether the new table may be made (check_table); `stop` is as
  // DatabaseRequest has it.
  void open(const std::function<void()>& stop = {});
  void check_table() const;
  // Errors of read_question(), calibrate() and read_and_verify().
  void make_plan(const Progress& progress);
  // Into a file or a table. `time` is for the ledger. Errors of release_to_file() and Ledger::spend().
  FileReleased release(const Progress& progress, const std::string& time);
  // To standard output, which `sink` is: it is counted before a row is read, however it ends.
  ReleaseSummary release_to(ByteSink& sink, const Progress& progress, const std::string& time);
  // It is out: the statement and the report take their places.
  void appeared();

  const ReleaseAsked& asked() const { return asked_; }
  const Plan& plan() const { return proved_->plan; }
  const ReleaseRequest& request() const { return request_; }
  const Spent* spent() const { return spent_ ? &*spent_ : nullptr; }
  std::string receipt() const { return to_table() ? to_.receipt() : file_.receipt(); }
  std::string plan_path() const { return to_table() ? to_.plan_path() : file_.plan_path(); }

 private:
  bool takes_remembered_order() const;
  Budgeted budget(const std::string& time) const;

  ReleaseAsked asked_;
  QuestionOptions question_;
  FileRelease file_;
  DatabaseRelease to_;
  ReleaseRequest request_;
  PlanFiles beside_;
  std::optional<ProvedPlan> proved_;
  std::optional<Spent> spent_;
};

}  // namespace fugu::inline in_run
