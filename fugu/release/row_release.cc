#include "fugu/release/row_release.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "fugu/core/error.h"
#include "fugu/core/json_read.h"
#include "fugu/scenario/bags.h"

namespace fugu::inline in_release {
namespace {

constexpr std::pair<Stratum::Kind, const char*> kStratumKinds[] = {
    {Stratum::kOwn, "own"}, {Stratum::kMerged, "merged"}, {Stratum::kLeftOut, "left out"}};

Json strata_to_json(const Strata& strata) {
  Json json = Json::array();
  for (const StratumPlace& place : strata.all()) {
    Json one = Json::object();
    one.add("name", Json::string(place.name));
    for (const auto& [kind, word] : kStratumKinds) {
      if (kind == place.kind) one.add("kind", Json::string(word));
    }
    one.add("known", Json::strings(place.known));
    json.if_array()->push_back(std::move(one));
  }
  return json;
}

Strata strata_from_json(const Json& json, const std::string& place) {
  std::vector<StratumPlace> places;
  for (const Json& one : need_array(json, place)) {
    const std::string word = need_string(need(one, "kind", place), place + ".kind");
    const auto* kind = std::find_if(std::begin(kStratumKinds), std::end(kStratumKinds),
                                    [&](const auto& named) { return named.second == word; });
    if (kind == std::end(kStratumKinds))
      throw data_error(place + ".kind", "there is no such kind", "make it again from its plan");
    places.push_back({need_string(need(one, "name", place), place + ".name"), kind->first,
                      need_strings(need(one, "known", place), place + ".known")});
  }
  return Strata(places);
}

Json atom_to_json(int64_t atom) { return number_to_json(Rational(atom)); }

Json values_to_json(const PlanValues& values) {
  Json points = Json::array(), groups = Json::array();
  for (const Point& point : values.points()) {
    Json one = Json::array();
    for (int64_t index : point) one.if_array()->push_back(atom_to_json(index));
    points.if_array()->push_back(std::move(one));
  }
  for (const auto& [name, runs] : values.groups())
    groups.if_array()->push_back(Json::array({Json::string(name), runs_to_json(runs)}));
  Json json = Json::object();
  json.add("points", std::move(points));
  json.add("all", runs_to_json(values.all()));
  json.add("groups", std::move(groups));
  return json;
}

PlanValues values_from_json(const Json& json, size_t columns, const std::string& place) {
  std::vector<Point> points;
  for (const Json& one : need_array(need(json, "points", place), place + ".points")) {
    Point& point = points.emplace_back();
    for (const Json& index : need_array(one, place + ".points"))
      point.push_back(need_index(index, place + ".points"));
    if (point.size() != columns || (points.size() > 1 && !(points.end()[-2] < point)))
      throw data_error(place + ".points", "the points do not increase", "make it again from its plan");
  }
  std::map<std::string, Runs> groups;
  for (const Json& one : need_array(need(json, "groups", place), place + ".groups")) {
    const Json::Array& parts = need_array(one, place + ".groups");
    if (parts.size() != 2)
      throw data_error(place + ".groups", "a group has a name and runs", "make it again from its plan");
    groups[need_string(parts[0], place + ".groups")] = runs_from_json(parts[1], place + ".groups");
  }
  return {runs_from_json(need(json, "all", place), place + ".all"), std::move(groups), std::move(points)};
}

void check_atoms(const RowRelease& release, const std::string& place) {
  if (release.columns.size() == 1) return;
  for (const SwapStratum& stratum : release.rows->strata) {
    if (stratum.points.front() < 0 ||
        static_cast<size_t>(stratum.points.back()) >= release.values.points().size())
      throw data_error(place, "a row is none of the points", "make it again from its plan");
  }
}

}  // namespace

bool releases_rows(const Plan& plan) {
  return draws_whole_rows(plan) || (plan.scenario.source && plan.scenario.source->has_strata());
}

RowRelease row_release(const Plan& plan) {
  RowRelease release{.columns = column_releases(plan), .rows = std::nullopt};
  if (draws_whole_rows(plan)) release.rows = std::get<Swap>(plan.mechanism);
  if (plan.scenario.source && plan.scenario.source->has_strata()) {
    release.known = plan.scenario.source->known;
    release.header = plan.scenario.source->header;
    release.strata = Strata(plan.scenario);
  }
  release.values = PlanValues(one_row(plan.scenario));
  return release;
}

Json row_release_to_json(const RowRelease& release) {
  Json columns = Json::array();
  for (const ColumnRelease& column : release.columns) {
    columns.if_array()->push_back(column.mechanism ? column_release_to_json(column)
                                                   : column_map_to_json(column.map));
  }
  Json json = Json::object();
  json.add("columns", std::move(columns));
  if (release.rows) json.add("rows", swap_to_json(*release.rows, atom_to_json));
  json.add("known", Json::strings(release.known));
  json.add("header", Json::boolean(release.header));
  json.add("strata", strata_to_json(release.strata));
  json.add("values", values_to_json(release.values));
  return json;
}

RowRelease row_release_from_json(const Json& json, const std::string& place) {
  RowRelease release{.columns = {}, .rows = std::nullopt};
  const Json* rows = json.find("rows");
  for (const Json& column : need_array(need(json, "columns", place), place + ".columns")) {
    release.columns.push_back(
        rows ? ColumnRelease{column_map_from_json(column, place + ".columns"), std::nullopt}
             : column_release_from_json(column, place + ".columns"));
  }
  if (release.columns.empty())
    throw data_error(place + ".columns", "there is no column", "make it again from its plan");
  release.known = need_strings(need(json, "known", place), place + ".known");
  const bool* header = need(json, "header", place).if_boolean();
  if (!header) throw data_error(place + ".header", "this must be true or false", "write true or false");
  release.header = *header;
  release.strata = strata_from_json(need(json, "strata", place), place + ".strata");
  release.values = values_from_json(need(json, "values", place), release.columns.size(), place + ".values");
  if (!rows) return release;
  release.rows = swap_from_json(*rows, need_index, place + ".rows");
  check_atoms(release, place + ".rows");
  return release;
}

RowsReleaser::RowsReleaser(RowRelease release)
    : release_(std::move(release)),
      strata_(release_.known.empty() ? nullptr : std::make_shared<const Strata>(release_.strata)),
      values_(std::make_shared<const PlanValues>(release_.values)),
      draw_(release_.rows ? RowDraw(*release_.rows, release_.values.points(), release_.columns.size())
                          : RowDraw(release_.columns)) {}

RowLayout RowsReleaser::layout_of(const ArrowTable& table, const RowReleaseOptions& options) const {
  RowLayout layout;
  RowTerms& terms = layout.terms;
  layout.wanted.resize(release_.known.size() + release_.columns.size());
  std::iota(layout.wanted.begin(), layout.wanted.end(), 0);
  auto place = [&](const std::string& name) {
    layout.places.push_back(release_.header ? "column '" + name + "'" : "column " + name);
  };
  for (const std::string& name : release_.known) place(name);
  for (const ColumnRelease& column : release_.columns) place(column.map.name);
  layout.name = table.head().name();
  terms.given = release_.known.size();
  terms.given_names = group_prefixes(release_.known, release_.header);
  terms.released = release_.columns.size();
  terms.na = release_.columns.front().map.source.na;
  terms.missing = release_.columns.front().map.source.missing;
  terms.drop = options.drop;
  terms.whole_groups = !release_.known.empty();
  terms.strata = strata_;
  terms.only_plain_labels = options.plain_labels;
  terms.keeps = options.beside_kept || !release_.known.empty();
  terms.values = values_;
  return layout;
}

ArrowReleased RowsReleaser::part(const ArrowTable& table, const RowReleaseOptions& options,
                                 const Progress& progress) const {
  if (table.columns() != release_.known.size() + release_.columns.size())
    throw usage("a releaser of rows takes the known columns and then the released ones",
                "give it these alone");
  LabelsSeen seen;
  return release_arrow(table, layout_of(table, options), release_.columns, draw_, release_.values.points(),
                       seen, progress);
}

}  // namespace fugu::inline in_release
