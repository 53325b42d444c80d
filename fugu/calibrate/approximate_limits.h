// All that is promised, in doubles: for guesses that are proved elsewhere (docs/math.md, section 19).
//
// A promise in belief has one more law than secrets, their mixture; whoever holds masses by secret adds it.
#pragma once

#include <cstdint>
#include <vector>

#include "fugu/scenario/scenario.h"

namespace fugu::inline in_calibrate {

// A solver works with e^epsilon: beyond this it would lose all digits.
inline constexpr double kMostEpsilon = 12;

// masses[first] <= growth masses[second] at every output.
struct ApproximateLimit {
  uint32_t first, second;
  double epsilon;
  double growth;  // of an epsilon that is tighter by a share, and capped
};
std::vector<ApproximateLimit> approximate_limits(const Scenario& scenario, double share = 0);

// Of the secrets in the mixture; empty where no promise is in belief.
std::vector<double> approximate_shares(const Scenario& scenario, const Prior& prior);

// The mixture of rows of masses, one for each secret, after the last of them; nothing without shares.
void add_mixture(std::vector<std::vector<double>>& by_secret, const std::vector<double>& shares);

// One epsilon for the odds, which keeps all that is promised: with more noise than it takes.
Scenario plain_scenario(const Scenario& scenario);

}  // namespace fugu::inline in_calibrate
