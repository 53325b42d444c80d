// The values of a scenario file before they lie on lattices, and where they come to lie.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fugu/core/json.h"
#include "fugu/law/normal_law.h"
#include "fugu/scenario/scenario_json.h"

namespace fugu::inline in_scenario {

// A distribution before its lattice is known.
struct RawDistribution {
  std::vector<Rational> values;               // of one column, or
  std::vector<std::vector<Rational>> tuples;  // of several
  std::vector<Rational> masses;
  std::optional<NormalLaw> law = {};  // in place of both
  size_t size() const { return tuples.empty() ? values.size() : tuples.size(); }
};
using RawPriors = std::vector<std::vector<RawDistribution>>;

// How many columns the values have: 1, or as many as every list has numbers. Error (data) where they differ.
size_t count_columns(const RawPriors& raw, const std::string& place);

// Whether some distribution of a prior is a law, and of any prior.
bool has_laws(const std::vector<RawDistribution>& given);
bool has_laws(const RawPriors& priors);

// The atoms of every distribution, by prior and secret, in the order of its values.
using Atoms = std::vector<std::vector<std::vector<int64_t>>>;

// Sets the lattice, or the axes and points of several columns: as asked for, as the file has it, or the
// coarsest. With laws or a clip values are held in a grid, which comes back too. Error (data) for values that
// are off the lattice or have no label.
Atoms place_values(Scenario& scenario, const RawPriors& raw, const Json& json,
                   const ScenarioOverrides& overrides, const std::string& place,
                   std::optional<PointRange>& grid);

// Categories' names, no two the same. Error (data).
std::vector<std::string> need_labels(const Json& json, const std::string& place);

// Error (data) where a value has no label.
void check_labels(const std::vector<std::string>& labels, int64_t low, int64_t high,
                  const std::string& place);

// Where the law of a secret stands: by its number from 0 on, because messages name no secret.
std::string place_of_given(const std::string& prior, size_t secret);

// The list that a key holds, with an item for each of several columns; null where the key is missing.
const Json::Array* per_column(const Json* json, size_t columns, const std::string& place);

// A number above 0. Error (data).
Rational need_step(const Json& json, const std::string& place);

}  // namespace fugu::inline in_scenario
