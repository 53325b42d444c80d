// What is promised of two laws at every output, pair by pair where budgets differ (docs/math.md, sections 0
// and 19).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fugu/law/budget.h"

namespace fugu::inline in_law {

enum class Promise {
  kOdds,            // the odds between two secrets change by at most e^epsilon, either way
  kBelief,          // nobody becomes more than e^epsilon times as sure of a secret
  kBeliefBothWays,  // nor less than e^-epsilon times as sure
};
// "odds", "belief", "belief-both".
std::string_view promise_name(Promise promise);
std::optional<Promise> promise_named(std::string_view name);

// A budget other than the claim's: of a pair of secrets, or of everything that concerns the first.
struct OwnBudget {
  uint32_t first = 0;
  std::optional<uint32_t> second = {};  // first < second
  Epsilon epsilon;
  friend bool operator==(const OwnBudget&, const OwnBudget&) = default;
};

// At every output the mass of the first law is at most e^epsilon times that of the second. The index after
// the last secret's is the mixture of all secrets by their shares in the prior.
struct Limit {
  uint32_t first = 0, second = 0;
  Epsilon epsilon;
};
// How a witness names the mixture.
inline constexpr const char* kMixture = "(all)";

}  // namespace fugu::inline in_law
