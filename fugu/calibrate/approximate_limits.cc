#include "fugu/calibrate/approximate_limits.h"

#include <algorithm>
#include <cmath>

namespace fugu::inline in_calibrate {

std::vector<ApproximateLimit> approximate_limits(const Scenario& scenario, double share) {
  std::vector<ApproximateLimit> result;
  for (const Limit& limit : scenario.limits()) {
    const double epsilon = static_cast<double>(limit.epsilon.value());
    result.push_back(
        {limit.first, limit.second, epsilon, std::exp(std::min(epsilon, kMostEpsilon) * (1 - share))});
  }
  return result;
}

std::vector<double> approximate_shares(const Scenario& scenario, const Prior& prior) {
  std::vector<double> result;
  if (!scenario.is_of_belief()) return result;
  for (const Rational& share : scenario.shares_in(prior)) result.push_back(static_cast<double>(share));
  return result;
}

void add_mixture(std::vector<std::vector<double>>& by_secret, const std::vector<double>& shares) {
  if (shares.empty()) return;
  std::vector<double> mixture(by_secret[0].size(), 0);
  for (size_t s = 0; s < shares.size(); ++s) {
    for (size_t k = 0; k < mixture.size(); ++k) mixture[k] += shares[s] * by_secret[s][k];
  }
  by_secret.push_back(std::move(mixture));
}

Scenario plain_scenario(const Scenario& scenario) {
  Scenario plain = scenario;
  plain.make_plain();
  return plain;
}

}  // namespace fugu::inline in_calibrate
