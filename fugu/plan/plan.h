// The answer and its evidence: the scenario, the exact noise, the guarantee, the witness, the error it costs.
//
// A plan holds the owner's counts: it is private. Nothing in it is trusted by the verifier.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fugu/core/json.h"
#include "fugu/mechanism/error_measure.h"
#include "fugu/mechanism/mechanism.h"
#include "fugu/proof/prove.h"
#include "fugu/scenario/scenario.h"

namespace fugu::inline in_plan {

// Distances between the secrets' distributions over the pairs and priors, in data units. Of several columns
// only the range is stated, in units of the columns' weights, of whole rows that trade places not even that;
// what is not stated is 0 and is written as null.
struct Sensitivity {
  Rational range;  // largest |x - x'| of possible values
  Rational w_inf;  // largest distance that mass must travel
  double w_1 = 0;  // largest mean distance, the nearest double
  friend bool operator==(const Sensitivity&, const Sensitivity&) = default;
};

// The methods that a plan may name; how it came about is told, not proved.
inline constexpr std::array<std::string_view, 13> kMethodNames{
    "sensitivity", "theorem3a", "theorem3b", "kantorovich", "relaxed",    "harmonic",           "sharp",
    "exact",       "optimal",   "channel",   "swap",        "dp-laplace", "randomized-response"};

// What an optimal method made small, and how small: the mean error of a release, the nearest double.
struct Objective {
  ErrorMeasure measure;
  double error = 0;
  friend bool operator==(const Objective&, const Objective&) = default;
};

struct Plan {
  Scenario scenario;
  std::string method;  // one of kMethodNames
  Mechanism mechanism;
  double mse = 0;  // mean squared error of a released row, data units, the nearest double
  std::optional<Objective> objective;
  Sensitivity sensitivity;
  Witness witness;
  std::vector<std::string> assumptions;
  std::vector<std::string> notes;
  std::optional<double> unchanged =
      {};  // of rows that trade places: the share that stays, the nearest double
  // Of the method `sharp`, unless there is no noise: influence_of() the noise. Any releases whose influences
  // add up to at most that of the integers drawn keep epsilon together (docs/math.md, section 17).
  std::optional<double> influence = {};
  friend bool operator==(const Plan&, const Plan&) = default;

  // Precondition: the mechanism is noise.
  const Noise& noise() const { return std::get<Noise>(mechanism); }
};

// Names of columns for people: "age, hours", without a header "column 3, column 4"; and the axis-th of
// several that are released.
std::string listed(const Source& source, std::vector<std::string> names);
std::string column_name(const Scenario& scenario, size_t axis);

// What a plan takes for granted, in words: that of noise or a channel, and the plan's own.
std::vector<std::string> assumptions_of(const Scenario& scenario);
std::vector<std::string> assumptions_of(const Plan& plan);

// What the rows that were dropped show, and what became of small groups of the given columns, by name: for
// the owner, like the plan itself.
std::vector<std::string> notes_of(const Scenario& scenario);

// The mean error of a release, in data units, to the nearest double: over the noise, or over the channel and
// the values as they occur (Scenario::population). Precondition: the measure covers a channel, and is no
// table for noise.
double mean_error(const Scenario& scenario, const Mechanism& mechanism, const ErrorMeasure& measure);
// Of several columns the sum over them.
double mean_square_error(const Scenario& scenario, const Mechanism& mechanism);
// That of each column, of one column alone too.
std::vector<double> column_errors(const Scenario& scenario, const Mechanism& mechanism);

// Of Laplace noise: the most by which the exchange of values one step apart changes the logarithm of any
// output's probability, rounded up. Precondition: reach 0, and a tail above 0.
double influence_of(const Noise& noise);

// The guarantee as plans and statements write it.
Json guarantee_to_json(const Plan& plan);

// Adds to each of several columns of a mechanism its weight, its error and its lattice.
void add_column_facts(Json& mechanism, const Plan& plan);

// The file of a plan, digest included.
Json plan_to_json(const Plan& plan);

// Error (guarantee) when the digest is not that of the contents; Error (data) when the contents are no plan.
// The numbers are read, not believed: see verify().
Plan plan_from_json(const Json& json, const std::string& place);

// SHA-256 of the canonical JSON without the member "digest".
std::string plan_digest(const Json& json);

}  // namespace fugu::inline in_plan
