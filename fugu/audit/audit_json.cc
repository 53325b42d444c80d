#include "fugu/audit/audit.h"

namespace fugu::inline in_audit {
namespace {

Json check_to_json(const Check& check) {
  Json json = Json::object();
  json.add("check", Json::string(check.name));
  json.add("tests", Json::number(static_cast<long long>(check.tests)));
  json.add("fault", check.fault ? Json::string(*check.fault) : Json::null());
  json.add("rarity", Json::number(check.rarity));
  return json;
}

Json seen_to_json(const Seen& seen, const Budget& promise) {
  Json json = Json::object();
  json.add("epsilon", Json::number(seen.bound.epsilon));
  json.add("delta", promise.delta.is_zero() ? Json::null() : Json::number(seen.bound.delta));
  json.add("prior", Json::string(seen.prior));
  json.add("pair", Json::strings({seen.pair.first, seen.pair.second}));
  json.add("event", Json::string(seen.event));
  return json;
}

}  // namespace

Json audit_to_json(const Audit& audit) {
  Json json = Json::object();
  json.add("rows", Json::number(static_cast<long long>(audit.rows)));
  json.add("confidence", Json::number(to_text(audit.confidence)));
  Json promise = Json::object();
  promise.add("epsilon", Json::number(to_text(audit.promise.epsilon.value())));
  promise.add("delta", Json::number(to_text(audit.promise.delta.value())));
  json.add("promise", std::move(promise));
  json.add("seen", audit.seen ? seen_to_json(*audit.seen, audit.promise) : Json::null());
  Json checks = Json::array();
  for (const Check& check : audit.checks) checks.if_array()->push_back(check_to_json(check));
  json.add("checks", std::move(checks));
  json.add("not_looked_at", Json::strings(audit.unread));
  return json;
}

}  // namespace fugu::inline in_audit
