#include "fugu/scenario/limits_json.h"

#include <fmt/format.h>

#include <algorithm>

#include "fugu/core/json_read.h"
#include "fugu/law/budget_list.h"

namespace fugu::inline in_scenario {
namespace {

std::vector<OwnBudget> read_budgets(const Json& json, const std::vector<std::string>& secrets,
                                    const std::string& place) {
  std::vector<OwnBudget> result;
  for (const Json& item : need_array(json, place)) {
    const std::string where = fmt::format("{}[{}]", place, result.size());
    check_keys(item, where, {"secrets", "epsilon"});
    std::vector<uint32_t> of;
    for (const std::string& name : need_strings(need(item, "secrets", where), where + ".secrets")) {
      const auto found = std::find(secrets.begin(), secrets.end(), name);
      if (found == secrets.end())
        throw data_error(where + ".secrets", "there is no such secret", "name secrets of the priors");
      of.push_back(static_cast<uint32_t>(found - secrets.begin()));
    }
    std::sort(of.begin(), of.end());
    if (of.empty() || of.size() > 2 || of.front() == (of.size() == 2 ? of.back() : secrets.size()))
      throw data_error(where + ".secrets", "a budget is of one secret or of two", "name one, or a pair");
    OwnBudget own{of.front(),
                  {},
                  Epsilon::parse(to_text(need_number(need(item, "epsilon", where), where + ".epsilon")),
                                 where + ".epsilon", ErrorKind::kData)};
    if (of.size() == 2) own.second = of.back();
    for (const OwnBudget& other : result) {
      if (other.first == own.first && other.second == own.second)
        throw data_error(where, "two budgets are of the same secrets", "give one");
    }
    result.push_back(std::move(own));
  }
  return result;
}

}  // namespace

void read_limits(Scenario& scenario, const Json& json, const std::string& place,
                 const ScenarioOverrides& overrides) {
  if (overrides.promised) {
    scenario.promised = *overrides.promised;
  } else if (const Json* promise = json.find("promise")) {
    const auto named = promise_named(need_string(*promise, place + ".promise"));
    if (!named)
      throw data_error(place + ".promise", "there is no such promise", "give odds, belief or belief-both");
    scenario.promised = *named;
  }
  if (overrides.epsilon) {
    scenario.own_budgets = parse_own_budgets(overrides.budgets, scenario.secrets);
  } else if (const Json* budgets = json.find("budgets")) {
    scenario.own_budgets = read_budgets(*budgets, scenario.secrets, place + ".budgets");
  }
}

std::vector<Rational> read_shares(const Json* json, const std::vector<std::string>& secrets,
                                  const std::string& place) {
  std::vector<Rational> shares;
  if (!json) return shares;
  const auto* members = json->if_object();
  if (!members || members->size() != secrets.size())
    throw data_error(place, "this must be an object", "one number above 0 for each secret");
  for (const std::string& secret : secrets) {
    shares.push_back(need_number(need(*json, secret, place), place));
    if (shares.back() <= 0)
      throw data_error(place, "a share is not above 0", "one number above 0 for each secret");
  }
  return shares;
}

void add_limits(Json& json, const Scenario& scenario) {
  if (scenario.is_of_belief())
    json.add("promise", Json::string(std::string(promise_name(scenario.promised))));
  if (scenario.own_budgets.empty()) return;
  Json budgets = Json::array();
  for (const OwnBudget& own : scenario.own_budgets) {
    std::vector<std::string> of{scenario.secrets[own.first]};
    if (own.second) of.push_back(scenario.secrets[*own.second]);
    Json entry = Json::object();
    entry.add("secrets", Json::strings(of));
    entry.add("epsilon", number_to_json(own.epsilon.value()));
    budgets.if_array()->push_back(std::move(entry));
  }
  json.add("budgets", std::move(budgets));
}

Json shares_to_json(const Scenario& scenario, const Prior& prior) {
  Json json = Json::object();
  for (size_t s = 0; s < prior.shares.size(); ++s)
    json.add(scenario.secrets[s], number_to_json(prior.shares[s]));
  return json;
}

void state_shares(Scenario& scenario, const std::string& text) {
  if (!scenario.is_of_belief()) {
    if (!text.empty()) {
      throw Error(ErrorKind::kUsage, "--shares: a promise in odds needs no shares",
                  "leave out --shares, or give --promise belief");
    }
    for (Prior& prior : scenario.priors) prior.shares.clear();
  }
  if (text.empty()) return;
  const std::vector<Rational> shares = parse_shares(text, scenario.secrets);
  for (Prior& prior : scenario.priors) prior.shares = shares;
}

}  // namespace fugu::inline in_scenario
