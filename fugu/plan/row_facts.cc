#include "fugu/plan/row_facts.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "fugu/plan/plan.h"
#include "fugu/plan/swap_facts.h"
#include "fugu/scenario/bags.h"

namespace fugu::inline in_plan {
namespace {

constexpr double kMostCells = 1e7;     // secrets times values
constexpr double kMostGuessing = 1e6;  // products of a mass and a chance

double stays_of(const Noise& noise) {
  return static_cast<double>(Rational(noise.weights[noise.weights.size() / 2]) / total_weight(noise));
}

// The joint frequencies of secrets and values.
struct OwnRows {
  const Prior* prior;
  std::vector<int64_t> atoms;
  std::vector<std::vector<double>> counts;  // by secret, by atom
};

std::vector<OwnRows> rows_of(const Scenario& scenario) {
  std::vector<OwnRows> result;
  for (const Prior* prior : scenario.own_priors()) {
    OwnRows& rows = result.emplace_back(OwnRows{prior, union_support(prior->by_secret), {}});
    for (const Distribution& law : prior->by_secret) {
      std::vector<double>& counts = rows.counts.emplace_back(rows.atoms.size(), 0);
      for (size_t k = 0, x = 0; k < law.size(); ++k, ++x) {
        while (rows.atoms[x] != law.atoms()[k]) ++x;
        counts[x] = static_cast<double>(law.weights().at(k));
      }
    }
  }
  return result;
}

// What a secret's rows are released as, in numbers of rows; empty where that would take long.
using Outputs = std::map<int64_t, double>;
std::optional<Outputs> released(const OwnRows& rows, const std::vector<double>& counts,
                                const Mechanism& mechanism) {
  Outputs outputs;
  if (const Swap* swap = std::get_if<Swap>(&mechanism)) {
    const SwapStratum& stratum = *swap->stratum(rows.prior->known);
    const std::vector<uint64_t> leaves = stratum.outflow();
    for (size_t x = 0; x < counts.size(); ++x)
      outputs[rows.atoms[x]] += counts[x] * static_cast<double>(stratum.totals[x] - leaves[x]) /
                                static_cast<double>(stratum.totals[x]);
    for (const SwapFlow& flow : stratum.flows) {
      outputs[rows.atoms[flow.to]] += counts[flow.from] * static_cast<double>(flow.weight) /
                                      static_cast<double>(stratum.totals[flow.from]);
    }
    return outputs;
  }
  if (const Channel* channel = std::get_if<Channel>(&mechanism)) {
    for (size_t x = 0; x < counts.size(); ++x) {
      const auto input = std::lower_bound(channel->inputs.begin(), channel->inputs.end(), rows.atoms[x]);
      const auto i = static_cast<size_t>(input - channel->inputs.begin());
      const auto total = static_cast<double>(channel->row_total(i));
      for (size_t k = 0; k < channel->outputs.size(); ++k)
        outputs[channel->outputs[k]] += counts[x] * static_cast<double>(channel->weights[i][k]) / total;
    }
    return outputs;
  }
  const Noise* noise = std::get_if<Noise>(&mechanism);
  if (!noise) return std::nullopt;
  const double ratio = static_cast<double>(noise->tail.value());
  const double far = ratio > 0 ? std::ceil(-21 / std::log(ratio)) : 0;  // e^-21 of the tail is left out
  const auto total = static_cast<double>(total_weight(*noise));
  const int64_t reach = noise->reach(), last = reach + static_cast<int64_t>(far);
  std::vector<double> law;
  for (int64_t z = -last; z <= last; ++z) {
    const int64_t inner = std::clamp(z, -reach, reach);
    law.push_back(static_cast<double>(noise->weights[static_cast<size_t>(inner + reach)]) / total *
                  std::pow(ratio, static_cast<double>(std::llabs(z - inner))));
  }
  for (size_t x = 0; x < counts.size(); ++x) {
    for (int64_t z = -last; z <= last && counts[x] > 0; ++z)
      outputs[rows.atoms[x] + z] += counts[x] * law[static_cast<size_t>(z + last)];
  }
  return outputs;
}

// How many products it takes to know what a secret's rows are released as.
double work_of(const OwnRows& rows, const Mechanism& mechanism) {
  const auto values = static_cast<double>(rows.atoms.size());
  if (const Swap* swap = std::get_if<Swap>(&mechanism))
    return values + static_cast<double>(swap->stratum(rows.prior->known)->flows.size());
  if (const Channel* channel = std::get_if<Channel>(&mechanism))
    return values * static_cast<double>(channel->outputs.size());
  const Noise* noise = std::get_if<Noise>(&mechanism);
  if (!noise) return HUGE_VAL;
  const double ratio = static_cast<double>(noise->tail.value());
  return values * (2 * (static_cast<double>(noise->reach()) + (ratio > 0 ? -21 / std::log(ratio) : 0)) + 1);
}

double cells_of(const Scenario& scenario) {
  double cells = 0;
  for (const Prior* prior : scenario.own_priors()) {
    double most = 0;
    for (const Distribution& law : prior->by_secret) most += static_cast<double>(law.size());
    cells += most * static_cast<double>(scenario.secrets.size());  // no fewer than there are
  }
  return cells;
}

void guess(const Scenario& scenario, const Mechanism& mechanism, RowFacts& facts) {
  double people = 0, blindly = 0, before = 0, after = 0, work = 0;
  bool known = true;
  for (const OwnRows& rows : rows_of(scenario)) {
    double best = 0;
    Outputs most;
    work += work_of(rows, mechanism) * static_cast<double>(rows.counts.size());
    known = known && work <= kMostGuessing * (std::holds_alternative<Swap>(mechanism) ? 10 : 1);
    for (size_t s = 0; s < rows.counts.size(); ++s) {
      double sum = 0;
      for (double count : rows.counts[s]) sum += count;
      people += sum;
      best = std::max(best, sum);
      if (!known) continue;
      const auto outputs = released(rows, rows.counts[s], mechanism);
      known = outputs.has_value();
      if (!known) continue;
      for (const auto& [output, count] : *outputs) most[output] = std::max(most[output], count);
    }
    blindly += best;  // who knows the known columns
    for (size_t x = 0; x < rows.atoms.size(); ++x) {
      double largest = 0;
      for (const auto& counts : rows.counts) largest = std::max(largest, counts[x]);
      before += largest;
    }
    for (const auto& [output, count] : most) after += count;
  }
  facts.guessed_blindly = blindly / people;
  facts.guessed_before = before / people;
  if (known) facts.guessed_after = after / people;
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
  if (!scenario.has_laws() && scenario.blur() == 0 && cells_of(scenario) <= kMostCells)
    guess(scenario, mechanism, facts);
  return facts;
}

}  // namespace fugu::inline in_plan
