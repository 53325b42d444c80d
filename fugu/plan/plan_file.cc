#include "fugu/plan/plan_file.h"

#include <fmt/format.h>

#include <cstdlib>

#include "fugu/core/digest.h"
#include "fugu/core/json_read.h"
#include "fugu/plan/plan.h"

namespace fugu::inline in_plan {

std::string plan_digest(const Json& json) { return sha256(json.canonical("digest")); }

Json sealed(Json body) {
  Json json = Json::object();
  json.add("fugu", Json::number(1LL));
  json.add("digest", Json::null());
  for (auto& [key, value] : *body.if_object()) json.add(std::move(key), std::move(value));
  (*json.if_object())[1].second = Json::string(plan_digest(json));
  return json;
}

void check_seal(const Json& json, const std::string& place) {
  const Json::Number* version = need(json, "fugu", place).if_number();
  if (!version || version->literal != "1") {
    throw data_error(place, "this is not a plan that this version of fugu reads", "calibrate again");
  }
  if (need_string(need(json, "digest", place), place + ".digest") != plan_digest(json)) {
    throw Error(ErrorKind::kGuarantee, place + ": the digest is not that of the plan's contents",
                "the plan was changed after it was made; calibrate again");
  }
}

double need_double(const Json& object, std::string_view key, const std::string& place) {
  const Json::Number* number = need(object, key, place).if_number();
  if (!number) throw data_error(fmt::format("{}.{}", place, key), "this must be a number", "calibrate again");
  return std::strtod(number->literal.c_str(), nullptr);
}

}  // namespace fugu::inline in_plan
