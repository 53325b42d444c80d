// What a report says to somebody who decides and knows nothing of privacy's mathematics: whether the release
// is of use, to whom what is promised, what it costs, for what it must not be used, and what the words mean.
#pragma once

#include <string>

#include "fugu/core/json.h"
#include "fugu/core/progress.h"
#include "fugu/plan/model_plan.h"
#include "fugu/plan/plan.h"

namespace fugu::inline in_report {

// Adds to a plan's picture the members "verdict", "good_for", "bad_for", "covered", "costs", "search" and
// "terms" (docs/formats.md, "Picture"). For the public from the statement's facts alone.
// Precondition: the plan verifies.
void add_decision(Json& picture, const Plan& plan, bool for_public);
void add_decision(Json& picture, const ModelPlan& plan);

// What the owner says of a report, and what ties it to a plan: empty texts are not shown.
struct ReportHead {
  std::string title = {};  // in place of the picture's own
  std::string table = {};
  std::string date = {};
  std::string version = {};  // of fugu
  std::string digest = {};   // of the plan: private, since it is one of the counts
};

// Adds the member "head": [[name, text], …], and "heading" where there is a title of its own. Without the
// digest and the rows in a public picture.
void add_head(Json& picture, const ReportHead& head);
void add_head(Json& picture, const ReportHead& head, const Scenario& scenario);

// The picture of a report for the owner: plan_picture(), the head, and the plan before and after as a preview
// shows it. Errors of preview_of().
Json report_picture(const Plan& plan, const ReportHead& head, double seconds, const Progress& progress);

}  // namespace fugu::inline in_report
