#include "fugu/release/column_map.h"

#include <tuple>

#include "fugu/core/json_read.h"
#include "fugu/plan/one_row.h"
#include "fugu/scenario/shape.h"
#include "fugu/scenario/source_json.h"

namespace fugu::inline in_release {

ColumnMap column_map(const Scenario& scenario) {
  ColumnMap map;
  map.lattice = scenario.lattice;
  if (scenario.source) {
    const Source& source = *scenario.source;
    if (source.published.size() == 1) map.name = source.published.front();
    map.source.columns = source.columns;
    map.source.na = source.na;
    map.source.missing = source.missing;
  }
  std::tie(map.low, map.high) = scenario.bounds();
  map.values = PlanValues(scenario).all();
  map.clamps = scenario.clamps();
  map.range = scenario.range();
  return map;
}

const std::vector<int64_t>* inputs_of(const ColumnRelease& column) {
  if (!column.mechanism) return nullptr;
  if (const Swap* swap = std::get_if<Swap>(&*column.mechanism)) return &swap->strata.front().points;
  const Channel* channel = std::get_if<Channel>(&*column.mechanism);
  return channel ? &channel->inputs : nullptr;
}

bool draws_whole_rows(const Plan& plan) {
  const Swap* swap = std::get_if<Swap>(&plan.mechanism);
  return swap && (plan.scenario.is_joint() || !swap->strata.front().known.empty());
}

std::vector<ColumnRelease> column_releases(const Plan& plan) {
  if (!plan.scenario.is_joint()) {
    return {
        {column_map(plan.scenario), draws_whole_rows(plan) ? std::nullopt : std::optional(plan.mechanism)}};
  }
  if (plan.scenario.rows_per_person() > 1) return column_releases(one_row(plan));
  const JointNoise* joint = std::get_if<JointNoise>(&plan.mechanism);
  std::vector<ColumnRelease> result;
  for (size_t c = 0; c < plan.scenario.axes.size(); ++c) {
    result.push_back({column_map(plan.scenario.column(c)),
                      joint ? std::optional<Mechanism>(joint->columns[c]) : std::nullopt});
  }
  return result;
}

int64_t need_index(const Json& number, const std::string& place) {
  const Rational value = need_number(number, place);
  if (denominator(value) != 1 || (abs(numerator(value)) >> 62) != 0)
    throw data_error(place, "this is not a lattice index", "make it again from its plan");
  return static_cast<int64_t>(numerator(value));
}

Json runs_to_json(const Runs& runs) {
  Json json = Json::array();
  for (const auto& [first, last] : runs) {
    json.if_array()->push_back(
        Json::array({number_to_json(Rational(first)), number_to_json(Rational(last))}));
  }
  return json;
}

Runs runs_from_json(const Json& json, const std::string& place) {
  Runs runs;
  for (const Json& run : need_array(json, place)) {
    const Json::Array& ends = need_array(run, place);
    if (ends.size() != 2) throw data_error(place, "a run has two ends", "make it again from its plan");
    runs.emplace_back(need_index(ends[0], place), need_index(ends[1], place));
    if (runs.back().first > runs.back().second ||
        (runs.size() > 1 && runs.end()[-2].second >= runs.back().first))
      throw data_error(place, "the runs do not increase", "make it again from its plan");
  }
  return runs;
}

Json column_map_to_json(const ColumnMap& map) {
  Json json = Json::object();
  json.add("column", Json::string(map.name));
  json.add("lattice", lattice_to_json(map.lattice));
  json.add("low", number_to_json(Rational(map.low)));
  json.add("high", number_to_json(Rational(map.high)));
  json.add("values", runs_to_json(map.values));
  json.add("clamps", Json::boolean(map.clamps));
  json.add("range_low", number_to_json(Rational(map.range.first)));
  json.add("range_high", number_to_json(Rational(map.range.second)));
  json.add("source", source_to_json(map.source));
  return json;
}

Json column_release_to_json(const ColumnRelease& column) {
  Json json = column_map_to_json(column.map);
  json.add("mechanism", mechanism_to_json(column.mechanism.value(), column.map.lattice));
  return json;
}

ColumnMap column_map_from_json(const Json& json, const std::string& place) {
  ColumnMap map;
  auto whole = [&](const char* key) { return need_index(need(json, key, place), place + "." + key); };
  map.name = need_string(need(json, "column", place), place + ".column");
  map.lattice = lattice_from_json(need(json, "lattice", place), place + ".lattice");
  map.low = whole("low");
  map.high = whole("high");
  map.range = {whole("range_low"), whole("range_high")};
  map.values = runs_from_json(need(json, "values", place), place + ".values");
  const bool* clamps = need(json, "clamps", place).if_boolean();
  if (!clamps) throw data_error(place + ".clamps", "this must be true or false", "write true or false");
  map.clamps = *clamps;
  map.source = read_source(need(json, "source", place), place + ".source", 1);
  check_shape(map.source.shape(), map.lattice, place + ".source");
  return map;
}

ColumnRelease column_release_from_json(const Json& json, const std::string& place) {
  ColumnRelease column{column_map_from_json(json, place), std::nullopt};
  column.mechanism =
      mechanism_from_json(need(json, "mechanism", place), column.map.lattice, place + ".mechanism");
  return column;
}

}  // namespace fugu::inline in_release
