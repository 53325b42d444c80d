#include "fugu/plan/plan.h"

#include <fmt/format.h>

namespace fugu {

namespace {

std::string belief_sentence(const Scenario& scenario) {
  if (scenario.confidence) {
    return fmt::format(
        "The rows are a random sample of those that the guarantee is about: with confidence {} it holds for "
        "every "
        "belief that the counts allow, where each cell of the table, zero counts included, has bounds and "
        "all "
        "bounds hold at once.",
        to_text(*scenario.confidence));
  }
  if (scenario.priors.size() > 1) {
    return fmt::format(
        "The adversary's belief about the value given each secret is one of the {} priors of the scenario.",
        scenario.priors.size());
  }
  return fmt::format(
      "The adversary's belief about the value given each secret is the prior \"{}\", taken as the truth.",
      scenario.priors[0].name);
}

}  // namespace

std::vector<std::string> assumptions_of(const Scenario& scenario) {
  std::vector<std::string> result{belief_sentence(scenario)};
  result.push_back("Rows are independent given the prior; a person in two rows is released twice.");
  result.push_back("Each value is released once; further releases of the same value add to the loss.");
  result.push_back(
      scenario.pairs.is_all() ? "Every pair of secrets is protected."
      : scenario.pair_count() == 1
          ? "Only the one listed pair of secrets is protected."
          : fmt::format("Only the {} listed pairs of secrets are protected.", scenario.pair_count()));
  return result;
}

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

Rational mean_error_of(const Scenario& scenario, const Channel& channel, const ErrorMeasure& measure) {
  const std::vector<Integer> population = scenario.population(channel.inputs);
  Integer people(0);
  Rational sum(0);
  for (size_t i = 0; i < channel.inputs.size(); ++i) {
    people += population[i];
    if (population[i] == 0) continue;
    Rational row(0);
    for (size_t k = 0; k < channel.outputs.size(); ++k) {
      if (channel.weights[i][k] == 0) continue;
      row += measure.of(channel.inputs[i], channel.outputs[k], scenario.lattice) * channel.weights[i][k];
    }
    sum += row * population[i] / Rational(channel.row_total(i));
  }
  return sum / Rational(people);
}

}  // namespace

double mean_error(const Scenario& scenario, const Mechanism& mechanism, const ErrorMeasure& measure) {
  const Channel* channel = std::get_if<Channel>(&mechanism);
  return static_cast<double>(channel ? mean_error_of(scenario, *channel, measure)
                                     : mean_error_of(std::get<Noise>(mechanism), scenario.lattice, measure));
}

double mean_square_error(const Scenario& scenario, const Mechanism& mechanism) {
  return mean_error(scenario, mechanism, {});
}

}  // namespace fugu
