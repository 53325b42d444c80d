// What is promised, as scenario files have it: "promise", "budgets", and the "shares" of a prior.
#pragma once

#include <string>
#include <vector>

#include "fugu/core/json.h"
#include "fugu/scenario/scenario.h"
#include "fugu/scenario/scenario_json.h"

namespace fugu::inline in_scenario {

// The promise and the budgets that differ. What flags say wins: one epsilon is that of everything.
void read_limits(Scenario& scenario, const Json& json, const std::string& place,
                 const ScenarioOverrides& overrides);
// In the order of the secrets; empty where there are none. Error (data).
std::vector<Rational> read_shares(const Json* json, const std::vector<std::string>& secrets,
                                  const std::string& place);

// "promise" and "budgets" where they say more than an epsilon.
void add_limits(Json& json, const Scenario& scenario);
Json shares_to_json(const Scenario& scenario, const Prior& prior);

// Of a promise in belief: the shares that people state, under every prior; without a text those stay that the
// priors have. Of any other promise there are none. Error (usage) for a text that no promise uses.
void state_shares(Scenario& scenario, const std::string& text);

}  // namespace fugu::inline in_scenario
