// The answer to a question about a model: independent users, Markov chains, or the rate of a table.
//
// It holds the model, not the scenarios that it expands to: one for each user, or for each time. The file is
// that of a plan with "model" in place of "scenario"; whoever reads plans tells them apart by that.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "fugu/core/json.h"
#include "fugu/law/budget.h"
#include "fugu/mechanism/noise.h"
#include "fugu/models/chain.h"
#include "fugu/models/crowd.h"
#include "fugu/models/rate.h"

namespace fugu::inline in_plan {

using Model = std::variant<Crowd, ChainModel, RateModel>;

// Where the proof is tightest.
struct ModelWitness {
  std::string place;  // "user 17", "time 50", with several chains "time 50 of chain b", "5 rows alike"
  std::pair<std::string, std::string> pair;
  std::optional<double> loss;   // rounded up; at most epsilon; absent with delta
  std::optional<double> delta;  // rounded up; at most delta; absent without
  friend bool operator==(const ModelWitness&, const ModelWitness&) = default;
};

struct ModelPlan {
  Model model;
  Budget budget;
  // Also the way it is proved. Crowd: lemma2, exact; chain: group, quilt-approx, quilt, transfer, exact;
  // rate: group, rows, part, exact.
  std::string method;
  Noise noise;     // added to each released number, each draw by itself
  double mse = 0;  // of one released number, data units, the nearest double
  ModelWitness witness;
  std::vector<std::string> assumptions;
  std::vector<std::string> notes;
  friend bool operator==(const ModelPlan&, const ModelPlan&) = default;

  Lattice lattice() const;
  bool releases_several() const;  // numbers
};

// Whether the file of a plan is that of a model.
bool is_model_plan(const Json& json);

// What the plan takes for granted: the model's own, and those of every release.
std::vector<std::string> assumptions_of(const Model& model);
double mean_square_error(const Model& model, const Noise& noise);

// The file, digest included, and the same read back; errors as of plan_from_json().
Json model_plan_to_json(const ModelPlan& plan);
ModelPlan model_plan_from_json(const Json& json, const std::string& place);

// What may be published of it. The model is the adversary's belief, not the users' letters: but where it was
// estimated from the data it depends on them, so it is not published.
Json model_statement_to_json(const ModelPlan& plan);
std::string model_statement_text(const ModelPlan& plan);

}  // namespace fugu::inline in_plan
