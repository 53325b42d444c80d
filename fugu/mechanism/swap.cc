#include "fugu/mechanism/swap.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>
#include <tuple>

#include "fugu/core/json_read.h"

namespace fugu::inline in_mechanism {
namespace {

Error flow_error(const std::string& place, const std::string& message) {
  return Error(ErrorKind::kData, place + ": " + message, "the plan was changed or cut off; calibrate again");
}

uint64_t need_word(const Json& json, const std::string& place) {
  const Integer value = need_natural(json, place);
  if (value > std::numeric_limits<uint64_t>::max()) throw flow_error(place, "this is too large");
  return static_cast<uint64_t>(value);
}

SwapFlow read_flow(const Json& json, size_t points, const std::string& place) {
  const Json::Array& parts = need_array(json, place);
  if (parts.size() != 3) throw flow_error(place, "a flow is a list of three: from, to, weight");
  SwapFlow flow;
  for (auto [end, part] : {std::pair{&flow.from, &parts[0]}, {&flow.to, &parts[1]}}) {
    const uint64_t place_of_point = need_word(*part, place);
    if (place_of_point >= points) throw flow_error(place, "there is no such point");
    *end = static_cast<uint32_t>(place_of_point);
  }
  flow.weight = need_word(parts[2], place);
  if (flow.from == flow.to || flow.weight == 0)
    throw flow_error(place, "a flow is between two points, and some weight must flow");
  return flow;
}

SwapStratum read_stratum(const Json& json, const PointFromJson& point, const std::string& place) {
  SwapStratum stratum;
  for (const Json& value : need_array(need(json, "points", place), place + ".points"))
    stratum.points.push_back(point(value, place + ".points"));
  if (stratum.points.empty() || std::adjacent_find(stratum.points.begin(), stratum.points.end(),
                                                   std::greater_equal<>()) != stratum.points.end())
    throw flow_error(place + ".points", "the points must increase");
  if (stratum.points.size() > std::numeric_limits<uint32_t>::max())
    throw flow_error(place + ".points", "there are too many");
  for (const Json& total : need_array(need(json, "totals", place), place + ".totals")) {
    stratum.totals.push_back(need_word(total, place + ".totals"));
    if (stratum.totals.back() == 0) throw flow_error(place + ".totals", "a total must be greater than 0");
  }
  if (stratum.totals.size() != stratum.points.size())
    throw flow_error(place + ".totals", "there must be one for each point");
  std::vector<uint64_t> left = stratum.totals;
  for (const Json& item : need_array(need(json, "flows", place), place + ".flows")) {
    const SwapFlow flow = read_flow(item, left.size(), place + ".flows");
    if (!stratum.flows.empty() &&
        std::tie(stratum.flows.back().from, stratum.flows.back().to) >= std::tie(flow.from, flow.to))
      throw flow_error(place + ".flows", "the flows must increase");
    if (flow.weight > left[flow.from]) throw flow_error(place + ".flows", "more leaves a point than it has");
    left[flow.from] -= flow.weight;
    stratum.flows.push_back(flow);
  }
  return stratum;
}

}  // namespace

std::vector<uint64_t> SwapStratum::outflow() const {
  std::vector<uint64_t> sums(points.size());
  for (const SwapFlow& flow : flows) sums[flow.from] += flow.weight;
  return sums;
}

bool SwapStratum::is_balanced() const {
  std::vector<unsigned __int128> difference(points.size());
  for (const SwapFlow& flow : flows) {
    difference[flow.to] += flow.weight;
    difference[flow.from] -= flow.weight;
  }
  return std::all_of(difference.begin(), difference.end(), [](auto left) { return left == 0; });
}

bool Swap::is_identity() const {
  return std::all_of(strata.begin(), strata.end(),
                     [](const SwapStratum& stratum) { return stratum.flows.empty(); });
}

const SwapStratum* Swap::stratum(const std::vector<std::string>& known) const {
  for (const SwapStratum& one : strata) {
    if (one.known == known) return &one;
  }
  return nullptr;
}

Swap swap_from_json(const Json& json, const PointFromJson& point, const std::string& place) {
  if (!need(json, "scale", place).is_null()) throw flow_error(place + ".scale", "a swap has no scale");
  Swap swap;
  const Json* strata = json.find("strata");
  if (!strata) {
    swap.strata.push_back(read_stratum(json, point, place));
    return swap;
  }
  std::set<std::vector<std::string>> seen;
  for (const Json& item : need_array(*strata, place + ".strata")) {
    const std::string where = fmt::format("{}.strata[{}]", place, swap.strata.size());
    check_keys(item, where, {"known", "points", "totals", "flows"});
    swap.strata.push_back(read_stratum(item, point, where));
    swap.strata.back().known = need_strings(need(item, "known", where), where + ".known");
    if (swap.strata.back().known.empty() || !seen.insert(swap.strata.back().known).second)
      throw flow_error(where + ".known", "each stratum has known texts of its own");
  }
  if (swap.strata.empty()) throw flow_error(place + ".strata", "there is no stratum");
  return swap;
}

}  // namespace fugu::inline in_mechanism
