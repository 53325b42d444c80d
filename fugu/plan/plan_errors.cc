#include <algorithm>
#include <numeric>

#include "fugu/plan/plan.h"
#include "fugu/plan/swap_facts.h"

namespace fugu::inline in_plan {
namespace {

Rational mean_error_of(const Noise& noise, const Lattice& lattice, const ErrorMeasure& measure) {
  switch (measure.kind) {
    case ErrorMeasure::kAbsolute:
      return mean_absolute(noise) * lattice.step;
    case ErrorMeasure::kZeroOne:
      return 1 - Rational(noise.weights[noise.weights.size() / 2]) / total_weight(noise);
    default:
      return mean_square(noise) * lattice.step * lattice.step;
  }
}

// Times the row's total. But for a table's costs, everything is summed in steps of the lattice: a fraction
// for every cell would take longer than the proof.
Rational row_error(const Channel& channel, size_t i, const Lattice& lattice, const ErrorMeasure& measure) {
  const int64_t input = channel.inputs[i];
  Rational costs(0);
  Integer steps(0);
  for (size_t k = 0; k < channel.outputs.size(); ++k) {
    const Integer& weight = channel.weights[i][k];
    const int64_t output = channel.outputs[k];
    if (weight == 0) continue;
    const int64_t distance = output < input ? input - output : output - input;
    switch (measure.kind) {
      case ErrorMeasure::kSquared:
        steps += Integer(weight * distance) * distance;
        break;
      case ErrorMeasure::kAbsolute:
        steps += weight * distance;
        break;
      case ErrorMeasure::kZeroOne:
        if (distance != 0) steps += weight;
        break;
      case ErrorMeasure::kTable:
        costs += measure.of(input, output, lattice) * weight;
    }
  }
  if (measure.kind == ErrorMeasure::kTable) return costs;
  return steps * measure.of(0, 1, lattice);
}

Rational mean_error_of(const Scenario& scenario, const Channel& channel, const ErrorMeasure& measure) {
  const std::vector<Integer> population = scenario.population(channel.inputs);
  Integer people(0);
  Rational sum(0);
  for (size_t i = 0; i < channel.inputs.size(); ++i) {
    people += population[i];
    if (population[i] == 0) continue;
    sum += row_error(channel, i, scenario.lattice, measure) * population[i] / Rational(channel.row_total(i));
  }
  return sum / Rational(people);
}

// Of several columns the sum over them, but rows count once for what is zero or one.
Rational mean_error_of(const Scenario& scenario, const Swap& swap, const ErrorMeasure& measure) {
  const SwapFacts facts = swap_facts(scenario, swap, measure);
  return measure.kind == ErrorMeasure::kZeroOne
             ? Rational(1 - facts.unchanged)
             : std::accumulate(facts.error.begin(), facts.error.end(), Rational(0));
}

}  // namespace

std::vector<double> column_errors(const Scenario& scenario, const Mechanism& mechanism) {
  if (const Swap* swap = std::get_if<Swap>(&mechanism)) {
    std::vector<double> errors;
    for (const Rational& squared : swap_facts(scenario, *swap).error)
      errors.push_back(static_cast<double>(squared));
    return errors;
  }
  const JointNoise* joint = std::get_if<JointNoise>(&mechanism);
  if (!joint) return {mean_square_error(scenario, mechanism)};
  std::vector<double> errors;
  for (size_t c = 0; c < std::min(joint->columns.size(), scenario.released_columns()); ++c)
    errors.push_back(static_cast<double>(mean_error_of(joint->columns[c], scenario.axes[c].lattice, {})));
  return errors;
}

double mean_error(const Scenario& scenario, const Mechanism& mechanism, const ErrorMeasure& measure) {
  if (const Swap* swap = std::get_if<Swap>(&mechanism))
    return static_cast<double>(mean_error_of(scenario, *swap, measure));
  if (const JointNoise* joint = std::get_if<JointNoise>(&mechanism)) {
    Rational sum(0);
    for (size_t c = 0; c < std::min(joint->columns.size(), scenario.released_columns()); ++c)
      sum += mean_error_of(joint->columns[c], scenario.axes[c].lattice, measure);
    return static_cast<double>(sum);
  }
  const Channel* channel = std::get_if<Channel>(&mechanism);
  return static_cast<double>(channel ? mean_error_of(scenario, *channel, measure)
                                     : mean_error_of(std::get<Noise>(mechanism), scenario.lattice, measure));
}

double mean_square_error(const Scenario& scenario, const Mechanism& mechanism) {
  return mean_error(scenario, mechanism, {});
}

}  // namespace fugu::inline in_plan
