#include "fugu/release/receipt.h"

#include "fugu/core/digest.h"

namespace fugu::inline in_release {

Json receipt_to_json(const Plan& plan, const ReleaseRequest& request, const ReleaseSummary& summary,
                     const std::optional<std::string>& output_digest) {
  Json json = Json::object();
  json.add("fugu", Json::number(1LL));
  json.add("rows", Json::number(static_cast<long long>(summary.released)));
  json.add("rows_dropped", Json::boolean(summary.dropped + summary.outside > 0));
  json.add("new_data", Json::boolean(request.new_data));
  json.add("shuffled", Json::boolean(shuffles(request, plan)));
  Json statement = statement_to_json({.plan = plan,
                                      .kept_unprotected = summary.kept_unprotected,
                                      .kept = summary.kept,
                                      .publish_min = request.publish_min,
                                      .drops = request.drop,
                                      .new_data = request.new_data});
  json.add("statement_digest", Json::string(sha256(statement.canonical())));
  std::vector<std::string> assumptions;
  if (request.values_unchanged) {
    assumptions.emplace_back(
        "Nobody's value has changed since the first release of this column that is counted together with "
        "this "
        "one.");
  }
  if (request.nearest) {
    assumptions.emplace_back(
        "A row that the plan does not have was released as the nearest row that it has would be: the rows so "
        "replaced are assumed to follow the plan's priors.");
  }
  if (!assumptions.empty()) json.add("assumptions", Json::strings(assumptions));
  json.add("output", output_digest ? Json::string(*output_digest) : Json::null());
  json.add("statement", std::move(statement));
  return json;
}

}  // namespace fugu::inline in_release
