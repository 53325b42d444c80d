#include "fugu/ledger/ledger_json.h"

namespace fugu::inline in_ledger {
namespace {

Json budget_to_json(const Account& account) {
  Json budget = Json::object();
  budget.add("epsilon", bound_number(account.epsilon));
  budget.add("delta", bound_number(account.delta));
  return budget;
}

Json release_json(const LedgerRelease& release) {
  Json json = Json::object();
  json.add("id", Json::number(static_cast<long long>(release.id)));
  json.add("time", Json::string(release.time));
  json.add("public", Json::strings(release.published));
  json.add("kept", Json::strings(release.kept));
  json.add("method", Json::string(release.plan.method));
  json.add("noise", Json::string(mechanism_name(release.plan.mechanism)));
  json.add("epsilon", bound_number(release.plan.scenario.epsilon.value()));
  json.add("delta", bound_number(release.plan.scenario.delta.value()));
  json.add("counts", Json::string(release.digest));
  json.add("rows", release.rows.digest.empty() ? Json::null() : Json::string(release.rows.digest));
  json.add("values_unchanged", Json::boolean(release.values_unchanged));
  json.add("output", Json::string(release.output));
  json.add("state", Json::string(state_name(release.state)));
  json.add("reason", release.reason.empty() ? Json::null() : Json::string(release.reason));
  return json;
}

Json account_json(const AccountView& view) {
  Json releases = Json::array();
  for (const LedgerRelease& release : view.releases) releases.if_array()->push_back(release_json(release));
  Json json = Json::object();
  json.add("dataset", Json::string(view.account.dataset));
  json.add("secret", Json::strings(view.account.secret));
  json.add("budget", budget_to_json(view.account));
  json.add("spent", view.together ? composition_to_json(*view.together) : Json::null());
  json.add("counted", Json::number(static_cast<long long>(view.counted)));
  json.add("assumptions", Json::strings(view.assumptions));
  json.add("releases", std::move(releases));
  return json;
}

}  // namespace

Json spent_to_json(const Spent& spent) {
  Json json = Json::object();
  json.add("release", Json::number(static_cast<long long>(spent.id)));
  json.add("dataset", Json::string(spent.account.dataset));
  json.add("budget", budget_to_json(spent.account));
  json.add("spent", composition_to_json(spent.together));
  json.add("left", Json::number(round_down(spent.left())));
  json.add("releases", Json::number(static_cast<long long>(spent.releases)));
  json.add("other_data",
           spent.other_data ? Json::number(static_cast<long long>(*spent.other_data)) : Json::null());
  json.add("assumptions", Json::strings(spent.assumptions));
  return json;
}

Json accounts_to_json(const std::vector<AccountView>& accounts) {
  Json list = Json::array();
  for (const AccountView& view : accounts) list.if_array()->push_back(account_json(view));
  Json json = Json::object();
  json.add("accounts", std::move(list));
  return json;
}

}  // namespace fugu::inline in_ledger
