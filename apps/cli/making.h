// Plans and releases as the terminal makes them: fugu calibrate and fugu release, and fugu run, which is
// either.
#pragma once

#include "apps/cli/options.h"
#include "fugu/report/shaping.h"
#include "fugu/run/release_run.h"

namespace fugu::cli {

// A plan, shown or written.
struct CalibrateOptions {
  QuestionOptions question = {};
  GeneralOptions general = {};
  PlanOptions plan = {};
  std::string output = {};
  bool force = false;
  JobFiles beside = {};          // its statement and report, where they are named
  std::string publish_min = {};  // of the statement
};
void run_calibrate(const CalibrateOptions& options);

// What a plan tells or costs that its owner may not want, on standard error: called before anything is
// written, while it can still be stopped.
void warn_of_plan(const Plan& plan, uint64_t publish_min, const ShapingHint& hint);

void run_release(const ReleaseAsked& asked, const GeneralOptions& general);

}  // namespace fugu::cli
