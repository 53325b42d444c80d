#include "fugu/plan/plan.h"

#include <fmt/format.h>

namespace fugu {

std::vector<std::string> assumptions_of(const Scenario& scenario) {
  std::vector<std::string> result;
  result.push_back(scenario.priors.size() == 1
                       ? fmt::format("The adversary's belief about the value given each secret is the prior "
                                     "\"{}\", taken as the truth.",
                                     scenario.priors[0].name)
                       : fmt::format("The adversary's belief about the value given each secret is one of the "
                                     "{} priors of the scenario.",
                                     scenario.priors.size()));
  result.push_back("Rows are independent given the prior; a person in two rows is released twice.");
  result.push_back("Each value is released once; further releases of the same value add to the loss.");
  result.push_back(
      scenario.pairs.is_all() ? "Every pair of secrets is protected."
      : scenario.pair_count() == 1
          ? "Only the one listed pair of secrets is protected."
          : fmt::format("Only the {} listed pairs of secrets are protected.", scenario.pair_count()));
  return result;
}

double mean_square_error(const Noise& noise, const Lattice& lattice) {
  return static_cast<double>(Rational(mean_square(noise) * lattice.step * lattice.step));
}

}  // namespace fugu
