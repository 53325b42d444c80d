// Independent users as a scenario: one prior for each kind of user, the secrets its letters and its absence
// (docs/math.md, section 12). Exact rationals, for few users; what every other command can then work with.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "fugu/models/crowd.h"
#include "fugu/scenario/scenario.h"

namespace fugu::inline in_models {

inline constexpr uint64_t kMostExpanded = 300;  // users

// The scenario whose release is the crowd's sum. Error (usage) for more than kMostExpanded users, and where
// some users cannot have some letter: every prior of a scenario has every secret.
Scenario crowd_scenario(const Crowd& crowd, const Budget& budget);

// Any deterministic query over few users: one prior for each user, named "user 1", "user 2", …; the secrets
// are the letters and absence, which is a letter drawn by the user's own law. `users[i][k]` is the mass of
// letter k, up to the sum; `query` gets each user's letter as its number. Error (usage) when there are more
// than kMostCombinations of letters, when a user has a letter of mass 0, or there are less than two letters
// or no users; Error (data) where the query's values have no common lattice.
inline constexpr uint64_t kMostCombinations = uint64_t{1} << 20;
using CrowdQuery = std::function<Rational(std::span<const size_t> letters)>;
Scenario enumerate_query(const std::vector<std::vector<Rational>>& users,
                         const std::vector<std::string>& letters, const CrowdQuery& query, CrowdPairs pairs,
                         const Budget& budget);

}  // namespace fugu::inline in_models
