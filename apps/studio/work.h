// What the page asks for, done: each answer is JSON made of what the core says. No mathematics here.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "apps/studio/asking.h"
#include "apps/studio/downloads.h"
#include "apps/studio/history.h"
#include "apps/studio/settings.h"
#include "apps/studio/shown_plans.h"
#include "apps/studio/tables.h"
#include "fugu/core/progress.h"
#include "fugu/plan/plan.h"

namespace fugu::studio {

class Work {
 public:
  Work(const Settings& settings, Tables& tables, Downloads& downloads)
      : settings_(settings),
        tables_(tables),
        downloads_(downloads),
        questions_(tables),
        history_(downloads) {}

  // The first rows as they stand: {"columns", "rows"}.
  Json rows(const Asking& asking, const Progress& progress);

  // What `fugu inspect` says, of the question's secret, if any.
  Json inspect(const Asking& asking, const Progress& progress);
  // Epsilon in words and which method it is when none is named, without looking at any: the first answer
  // where comparing takes long.
  Json promise(const Asking& asking, const Progress& progress);
  // The methods that solve no linear programme, epsilon in words, what there is to know of the question.
  Json compare(const Asking& asking, const Progress& progress);
  // Those that do.
  Json optima(const Asking& asking, const Progress& progress);
  // The pictures that do not depend on epsilon.
  Json laws(const Asking& asking, const Progress& progress);
  // Error against epsilon: without linear programmes, and with them.
  Json errors(const Asking& asking, const Progress& progress) { return errors_of(asking, false, progress); }
  Json all_errors(const Asking& asking, const Progress& progress) {
    return errors_of(asking, true, progress);
  }
  // A proved plan: its summary, what it gives away, its noise; plan, statement and report to download. One
  // that was shown for the same fields, and is kept, is shown again.
  Json calibrate(const Asking& asking, const Progress& progress);
  // What a release of the plan that calibrate() showed would leave (docs/formats.md, "Preview"). Error of
  // ShownPlans::find().
  Json preview(const Asking& asking, const Progress& progress);
  // The commands that make the plan and the release.
  Json commands(const Asking& asking, const Progress& progress);
  // The job of these fields, to download.
  Json save_job(const Asking& asking, const Progress& progress);
  // A release of the plan that calibrate() showed, into the studio's folder, through the ledger where there
  // is one. Error (usage) of ShownPlans::find(): nothing is written and nothing counted.
  Json release(const Asking& asking, const Progress& progress);

  // Somebody rests at the plan of the digest: it is kept longer, and is in the history. Error of
  // ShownPlans::find().
  Json rest(const Asking& asking);
  Json history() const { return history_.list(); }

 private:
  Json errors_of(const Asking& asking, bool programmes, const Progress& progress);
  ShownPlan plan_of(const Asking& asking, const Progress& progress);
  // `beside` are columns that were released beside.
  Json downloads_of(const std::shared_ptr<const Plan>& plan, const std::vector<std::string>& beside = {},
                    Downloads::Kept kept = Downloads::Kept::kAWhile);
  uint64_t another_draw(const Plan& plan, const OpenTable& table);

  const Settings& settings_;
  Tables& tables_;
  Downloads& downloads_;
  Questions questions_;
  ShownPlans shown_;
  History history_;
  std::mutex mutex_;
  std::shared_ptr<std::mutex> reporting_ = std::make_shared<std::mutex>();  // one report at a time
  std::map<std::string, uint64_t> draws_;  // of each column of each table, in this run
};

// The command that does the same: `fugu compare`, `fugu calibrate` or `fugu release`.
std::string command_of(const std::string& command, const Asking& asking, const Settings& settings);

}  // namespace fugu::studio
