#include "fugu/plan/row_facts.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "fugu/plan/plan.h"
#include "fugu/plan/swap_facts.h"
#include "fugu/scenario/bags.h"

namespace fugu::inline in_plan {
namespace {

double stays_of(const Noise& noise) {
  return static_cast<double>(Rational(noise.weights[noise.weights.size() / 2]) / total_weight(noise));
}

double spread_of(const Scenario& column) {
  std::set<int64_t> atoms;
  for (const Prior* prior : column.own_priors()) {
    for (const Distribution& law : prior->by_secret) atoms.insert(law.atoms().begin(), law.atoms().end());
  }
  const std::vector<int64_t> values(atoms.begin(), atoms.end());
  const std::vector<Integer> counts = column.population(values);
  double people = 0, sum = 0, squares = 0;
  for (size_t x = 0; x < values.size(); ++x) {
    const auto value = static_cast<double>(column.lattice.value(values[x])),
               count = static_cast<double>(counts[x]);
    people += count;
    sum += count * value;
    squares += count * value * value;
  }
  const double mean = sum / people;
  return std::sqrt(std::max(0.0, squares / people - mean * mean));
}

}  // namespace

RowFacts row_facts(const Scenario& scenario, const Mechanism& mechanism) {
  RowFacts facts;
  const size_t columns = scenario.released_columns();
  if (const Swap* swap = std::get_if<Swap>(&mechanism)) {
    const SwapFacts swapped = swap_facts(scenario, *swap);
    facts.unchanged = static_cast<double>(swapped.unchanged);
    facts.changed_columns = static_cast<double>(swapped.changed_columns);
    for (size_t c = 0; c < columns; ++c) facts.columns.push_back(static_cast<double>(1 - swapped.changed[c]));
  } else if (std::holds_alternative<Channel>(mechanism)) {
    facts.unchanged = 1 - mean_error(scenario, mechanism, {.kind = ErrorMeasure::kZeroOne});
    facts.columns = {facts.unchanged};
    facts.changed_columns = 1;
  } else {
    facts.unchanged = 1;
    const JointNoise* joint = std::get_if<JointNoise>(&mechanism);
    double changed = 0;
    for (size_t c = 0; c < columns; ++c) {
      facts.columns.push_back(stays_of(joint ? joint->columns[c] : std::get<Noise>(mechanism)));
      facts.unchanged *= facts.columns.back();
      changed += 1 - facts.columns.back();
    }
    facts.changed_columns = facts.unchanged < 1 ? changed / (1 - facts.unchanged) : 0;
  }
  for (double error : column_errors(scenario, mechanism)) facts.rms.push_back(std::sqrt(error));
  for (size_t c = 0; c < columns; ++c) facts.spread.push_back(spread_of(released_column(scenario, c)));
  facts.keeps_frequencies = std::holds_alternative<Swap>(mechanism) || changes_nothing(mechanism);
  facts.leakage = leakage_of(scenario, mechanism);
  return facts;
}

}  // namespace fugu::inline in_plan
