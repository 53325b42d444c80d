// Scenario files: strict JSON, exact literals (docs/formats.md).
#pragma once

#include <optional>
#include <string>

#include "fugu/core/json.h"
#include "fugu/scenario/scenario.h"

namespace fugu::inline in_scenario {

// What the command line may set over (or in place of) what the file says.
struct ScenarioOverrides {
  std::optional<Epsilon> epsilon;
  std::optional<Delta> delta;
  std::optional<std::string> pairs;  // as PairSet::parse reads it
  std::optional<Rational> step;      // snap every value to the nearest multiple
  std::optional<Rational> confidence = {};
  std::optional<Rational> closeness;
  std::vector<std::string> weights = {};  // of several columns, as parse_weights reads them
  std::optional<Promise> promised = {};
  std::string budgets = {};  // with epsilon, as parse_own_budgets reads them
  std::string shares = {};   // as parse_shares reads them
};

// `place` (a file name) begins every message. Error (data) for unknown keys, masses that are negative,
// unreadable or all zero, values off the lattice, fewer than two secrets, priors with different secrets;
// Error (usage) when there is no epsilon, or an override names something unknown.
Scenario scenario_from_json(const Json& json, const std::string& place,
                            const ScenarioOverrides& overrides = {});

// Adds the priors of a file: a whole scenario file, of which only the priors count, one prior, or a list of
// priors. Their values lie on the scenario's lattice (where its values were snapped, these are too);
// categories may be given by their labels. A name that is taken gets a number: "empirical (2)". Error (data)
// for what is not so, and when the secrets are not the scenario's.
void add_priors(Scenario& scenario, const Json& json, const std::string& place);

// A joint value as a list of numbers; the lattice, or a list of them for several columns.
Json point_to_json(const Scenario& scenario, const std::vector<int64_t>& point);
// Of an atom: one number of the one column, or a list of them.
Json value_to_json(const Scenario& scenario, int64_t atom);
Json lattices_to_json(const Scenario& scenario);

// Reads back as an equal scenario, whatever the overrides were.
Json scenario_to_json(const Scenario& scenario);

}  // namespace fugu::inline in_scenario
