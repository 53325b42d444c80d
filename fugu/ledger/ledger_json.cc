#include "fugu/ledger/ledger_json.h"

namespace fugu::inline in_ledger {
namespace {

Json budget_to_json(const Account& account) {
  Json budget = Json::object();
  budget.add("epsilon", bound_number(account.epsilon));
  budget.add("delta", bound_number(account.delta));
  return budget;
}

Json composition_or_null(const std::optional<Composition>& composition) {
  return composition ? composition_to_json(*composition) : Json::null();
}

Json more_json(const std::optional<More>& more) {
  if (!more) return Json::null();
  Json json = Json::object();
  json.add("releases", Json::number(static_cast<long long>(more->releases)));
  json.add("or_more", Json::boolean(more->or_more));
  return json;
}

Json influence_json(const std::optional<InfluenceLeft>& influence) {
  if (!influence) return Json::null();
  Json json = Json::object();
  json.add("spent", Json::number(influence->spent));
  json.add("most", influence->most ? Json::number(*influence->most) : Json::null());
  json.add("left", influence->most ? Json::number(influence->left()) : Json::null());
  return json;
}

Json reservation_json(const Reservation& reservation) {
  Json columns = Json::array(), members = Json::array();
  for (const ReservedColumn& column : reservation.columns) {
    Json json = Json::object();
    json.add("column", Json::string(column.name));
    json.add("influence", Json::number(column.influence));
    json.add("left", Json::number(column.left));
    columns.if_array()->push_back(std::move(json));
  }
  for (const int64_t id : reservation.members)
    members.if_array()->push_back(Json::number(static_cast<long long>(id)));
  Json json = Json::object();
  json.add("id", Json::number(static_cast<long long>(reservation.id)));
  json.add("columns", std::move(columns));
  json.add("releases", std::move(members));
  return json;
}

Json release_json(const LedgerRelease& release) {
  Json json = Json::object();
  json.add("id", Json::number(static_cast<long long>(release.id)));
  json.add("time", Json::string(release.time));
  json.add("public", Json::strings(release.published));
  json.add("kept", Json::strings(release.kept));
  json.add("method", Json::string(release.plan.method));
  json.add("noise", Json::string(mechanism_name(release.plan.mechanism)));
  json.add("epsilon", bound_number(release.plan.scenario.stated().epsilon.value()));
  json.add("delta", bound_number(release.plan.scenario.stated().delta.value()));
  json.add("counts", Json::string(release.digest));
  json.add("rows", release.rows.digest.empty() ? Json::null() : Json::string(release.rows.digest));
  json.add("values_unchanged", Json::boolean(release.values_unchanged));
  json.add("output", Json::string(release.output));
  json.add("state", Json::string(state_name(release)));
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
  json.add("spent", composition_or_null(view.together));
  json.add("more", more_json(view.more));
  json.add("influence", influence_json(view.influence));
  json.add("adaptive", Json::boolean(view.together && view.together->delta == 0));
  json.add("counted", Json::number(static_cast<long long>(view.counted)));
  json.add("assumptions", Json::strings(view.assumptions));
  Json reservations = Json::array();
  for (const Reservation& reservation : view.reservations)
    reservations.if_array()->push_back(reservation_json(reservation));
  json.add("reservations", std::move(reservations));
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
  json.add("more", more_json(spent.more));
  json.add("influence", influence_json(spent.influence));
  json.add("adaptive", Json::boolean(spent.together.delta == 0));
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

Json outlook_to_json(const Outlook& outlook) {
  Json json = Json::object();
  json.add("dataset", Json::string(outlook.account.dataset));
  json.add("secret", Json::strings(outlook.account.secret));
  json.add("budget", budget_to_json(outlook.account));
  json.add("releases", Json::number(static_cast<long long>(outlook.releases)));
  json.add("spent", composition_or_null(outlook.spent));
  json.add("together", composition_or_null(outlook.together));
  json.add("more", more_json(outlook.more));
  json.add("influence", influence_json(outlook.influence));
  json.add("influence_of_release", outlook.of_release ? Json::number(*outlook.of_release) : Json::null());
  json.add("refused", outlook.refusal.empty() ? Json::null() : Json::string(outlook.refusal));
  json.add("assumptions", Json::strings(outlook.assumptions));
  return json;
}

}  // namespace fugu::inline in_ledger
