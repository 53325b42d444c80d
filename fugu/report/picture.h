// The numbers behind the pictures of a question and of a plan: what a report draws, and any other front end
// that draws the same. docs/formats.md, "Picture", has the members; docs/report.md says how to read each.
//
// Probabilities and masses are the nearest doubles. Losses are upper bounds, rounded up as the verifier
// rounds. Where something cannot be drawn it is null, and "notes" beside it says why.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fugu/ask/open_question.h"
#include "fugu/core/json.h"
#include "fugu/core/progress.h"
#include "fugu/plan/model_plan.h"
#include "fugu/plan/plan.h"
#include "fugu/plan/publishable.h"

namespace fugu::inline in_report {

// P(X|S=s) of every secret that belongs to a pair, for every prior; of several columns that of each.
// Columns with many values are in bins.
struct LawsOptions {
  std::optional<size_t> prior = {};  // that one alone; many of them when not given
  size_t most_values = 120;          // that stand for themselves
};
Json laws_picture(const Scenario& scenario, const LawsOptions& options = {});

// A pair under one prior, by their places in the scenario.
struct PairAt {
  size_t prior = 0;
  SecretPair pair{0, 1};
};

// How mass moves between the two laws of a pair, the farthest as near as can be (docs/math.md, section 1);
// that of the pair whose mass must move farthest when none is given. Null "cells" for several columns.
Json transport_picture(const Scenario& scenario, const std::optional<PairAt>& pair = {},
                       size_t most_values = 120);

// For every output that a recipient can see, a proved bound of the loss over all pairs and priors, and the
// pair that has it. With delta > 0: what each output adds to the hockey-stick of the worst pair.
// Precondition: the plan verifies.
Json loss_picture(const Plan& plan);

// The law of what is done to a value: published with every release.
// `for_public` without what trades places with what.
Json noise_picture(const Scenario& scenario, const Mechanism& mechanism, bool for_public = false);
Json noise_picture(const ModelPlan& plan);

// Nine epsilons from an eighth to eight times the scenario's, as far as they are legal.
std::vector<Epsilon> epsilons_around(const Scenario& scenario);

struct ErrorOptions {
  std::vector<std::string> noises = {"laplace"};
  double seconds = 20;  // after which no more is looked for
  // Of one linear programme; an equal share when not given.
  std::optional<double> programme_seconds = {};
  bool programmes = true;  // the optimal noise and the optimal channel too
};
// The families to compare with the plan's own.
std::vector<std::string> noises_beside(const Plan& plan);

// The root mean square error of every method at every epsilon, as far as it was found in time: the
// scenario's own epsilon first, linear programmes last; of an optimum whose search was not finished there is
// no point, and a note. The epsilons increase, and a closeness leaves
// something of each. Errors of compare().
Json error_picture(const Scenario& scenario, const std::vector<Epsilon>& epsilons,
                   const ErrorOptions& options = {}, const Progress& progress = {});

// The same as languages ask for it: at the epsilons that the texts name, where there are several, else around
// their one.
Json error_picture(const OpenQuestion& open, const Texts& texts, double seconds, const Progress& progress);

// Everything that a report of the owner holds: private like the plan.
// Precondition: the plan verifies.
Json plan_picture(const Plan& plan, double seconds = 20, const Progress& progress = {});
Json plan_picture(const ModelPlan& plan);

// Adds to the picture of a plan what a preview of it shows (docs/formats.md, "Preview"): "shares", a picture
// of each released column before and after, "sample" and "associations". Private. Error (data) when it is no
// preview.
void add_before_after(Json& picture, const Json& preview);

// What may be published: what the statement says, and the law of the noise. Errors of check_publishable().
Json public_picture(const Plan& plan, uint64_t publish_min = kPublishMin);
Json public_picture(const ModelPlan& plan);

}  // namespace fugu::inline in_report
