// Budgets of pairs and secrets, and shares of secrets, as people write them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fugu/law/limits.h"

namespace fugu::inline in_law {

// Budgets: `0.5`, or `HIV=0.1,A:B=0.2,*=1`, where `*` is everything that is not named. A
// label that holds `:`, `,` or `=` is quoted as in CSV.
//
// What the text gives to everything that is not named. Error (usage).
Epsilon common_budget(std::string_view text);
// Whether the text names secrets.
bool names_budgets(std::string_view text);
// The others, pairs after secrets. Error (usage) for unknown secrets, for what is named twice, and for more
// than the rest has.
std::vector<OwnBudget> parse_own_budgets(std::string_view text, const std::vector<std::string>& secrets);

// `HIV=0.02,flu=0.98`: a positive number for each secret. Error (usage).
std::vector<Rational> parse_shares(std::string_view text, const std::vector<std::string>& secrets);

}  // namespace fugu::inline in_law
