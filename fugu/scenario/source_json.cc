#include "fugu/scenario/source_json.h"

#include <algorithm>

#include "fugu/core/json_read.h"
#include "fugu/scenario/raw_values.h"
#include "fugu/scenario/scenario_json.h"

namespace fugu::inline in_scenario {
namespace {

// One item for each axis, where any has one.
Json axes_to_json(const std::vector<Axis>& axes, bool (*has)(const Axis&), Json (*of)(const Axis&)) {
  Json json = Json::array();
  for (const Axis& axis : axes) json.if_array()->push_back(of(axis));
  return std::any_of(axes.begin(), axes.end(), has) ? json : Json::null();
}

// By prior and secret.
std::map<std::string, std::map<std::string, uint64_t>> read_dropped(const Json& json,
                                                                    const std::string& place) {
  std::map<std::string, std::map<std::string, uint64_t>> dropped;
  auto members = [&](const Json& object) -> const Json::Object& {
    if (object.if_object()) return *object.if_object();
    throw data_error(place, "this must be numbers of rows by prior and secret", "calibrate again");
  };
  for (const auto& [prior, secrets] : members(json)) {
    for (const auto& [secret, rows] : members(secrets)) {
      const Integer count = need_natural(rows, place);
      if ((count >> 60) != 0) throw data_error(place, "this is no number of rows", "calibrate again");
      dropped[prior][secret] = static_cast<uint64_t>(count);
    }
  }
  return dropped;
}

Json dropped_to_json(const std::map<std::string, std::map<std::string, uint64_t>>& dropped) {
  Json json = Json::object();
  for (const auto& [prior, secrets] : dropped) {
    Json rows = Json::object();
    for (const auto& [secret, count] : secrets) rows.add(secret, Json::number(static_cast<long long>(count)));
    json.add(prior, std::move(rows));
  }
  return json;
}

Person read_person(const Json& json, const std::string& place) {
  check_keys(json, place, {"column", "rows", "seed"});
  if (need_natural(need(json, "rows", place), place + ".rows") != 1) {
    throw data_error(place + ".rows", "several rows of one person need composition, which is not there yet",
                     "write 1");
  }
  Person person{need_string(need(json, "column", place), place + ".column"),
                need_string(need(json, "seed", place), place + ".seed")};
  const bool is_seed =
      person.seed.size() == 64 && person.seed.find_first_not_of("0123456789abcdef") == std::string::npos;
  if (!is_seed) throw data_error(place + ".seed", "this must be 64 hexadecimal digits", "calibrate again");
  return person;
}

RowWeight read_row_weight(const Json& json, const std::string& place, size_t columns) {
  check_keys(json, place, {"column", "unit", "rows"});
  RowWeight weight{need_string(need(json, "column", place), place + ".column"),
                   need_step(need(json, "unit", place), place + ".unit"),
                   {}};
  auto wrong = [&] {
    return data_error(place + ".rows",
                      "this must be, for each public column, pairs of a lattice index and rows",
                      "calibrate again");
  };
  for (const Json& column : need_array(need(json, "rows", place), place + ".rows")) {
    auto& rows = weight.rows.emplace_back();
    for (const Json& pair : need_array(column, place + ".rows")) {
      const Json::Array& two = need_array(pair, place + ".rows");
      if (two.size() != 2) throw wrong();
      const Rational index = need_number(two[0], place + ".rows");
      const Integer count = need_natural(two[1], place + ".rows");
      if (denominator(index) != 1 || abs(index) >= (int64_t{1} << 62) || (count >> 60) != 0) throw wrong();
      rows.emplace_back(static_cast<int64_t>(numerator(index)), static_cast<uint64_t>(count));
      if (rows.size() > 1 && rows[rows.size() - 2].first >= rows.back().first) throw wrong();
    }
  }
  if (weight.rows.size() != columns) throw wrong();
  return weight;
}

Json row_weight_to_json(const RowWeight& weight) {
  Json columns = Json::array();
  for (const auto& column : weight.rows) {
    Json rows = Json::array();
    for (const auto& [index, count] : column) {
      rows.if_array()->push_back(Json::array(
          {Json::number(static_cast<long long>(index)), Json::number(static_cast<long long>(count))}));
    }
    columns.if_array()->push_back(std::move(rows));
  }
  Json json = Json::object();
  json.add("column", Json::string(weight.column));
  json.add("unit", number_to_json(weight.unit));
  json.add("rows", std::move(columns));
  return json;
}

Json person_to_json(const Person& person) {
  Json json = Json::object();
  json.add("column", Json::string(person.column));
  json.add("rows", Json::number(1LL));
  json.add("seed", Json::string(person.seed));
  return json;
}

}  // namespace

Source read_source(const Json& json, const std::string& place, bool several) {
  check_keys(json, place,
             {"secret",
              "public",
              "labels",
              "na",
              "missing",
              "header",
              "step",
              "clip",
              "bin",
              "edges",
              "rare",
              "range",
              "given",
              "min_group",
              "merged",
              "left_out",
              "dropped",
              "person",
              "rows_independent",
              "weight",
              "count"});
  Source source;
  if (const Json* names = json.find("secret")) source.secret = need_strings(*names, place + ".secret");
  if (const Json* names = json.find("public")) source.published = need_strings(*names, place + ".public");
  if (const Json* labels = json.find("labels"); labels && !several)
    source.labels = need_labels(*labels, place + ".labels");
  if (const Json* texts = json.find("na")) source.na = need_strings(*texts, place + ".na");
  if (const Json* word = json.find("missing")) {
    const auto named = missing_named(need_string(*word, place + ".missing"));
    if (!named) throw data_error(place + ".missing", "the word is unknown", "write error, drop or keep");
    source.missing = *named;
  }
  if (const Json* step = json.find("step"); step && !several) source.step = need_step(*step, place + ".step");
  if (const Json* clip = json.find("clip")) {
    const Json::Array& ends = need_array(*clip, place + ".clip");
    if (ends.size() != 2)
      throw data_error(place + ".clip", "this must be two numbers", "for example [0, 100]");
    source.clip = {need_number(ends[0], place + ".clip"), need_number(ends[1], place + ".clip")};
    if (source.clip->first > source.clip->second)
      throw data_error(place + ".clip", "the first number is above the second", "for example [0, 100]");
  }
  if (const Json* bin = json.find("bin")) {
    check_keys(*bin, place + ".bin", {"width", "middle"});
    source.bin = {need_step(need(*bin, "width", place + ".bin"), place + ".bin.width"),
                  need_number(need(*bin, "middle", place + ".bin"), place + ".bin.middle")};
  }
  if (const Json* edges = json.find("edges")) {
    for (const Json& edge : need_array(*edges, place + ".edges"))
      source.edges.push_back(need_number(edge, place + ".edges"));
  }
  if (const Json* labels = json.find("rare")) source.rare = need_labels(*labels, place + ".rare");
  if (const Json* header = json.find("header")) {
    if (!header->if_boolean())
      throw data_error(place + ".header", "this must be true or false", "write true or false");
    source.header = *header->if_boolean();
  }
  if (const Json* range = json.find("range")) {
    const std::string word = need_string(*range, place + ".range");
    if (word != "clamp" && word != "free") {
      throw data_error(place + ".range", "the word is unknown", "write clamp or free");
    }
    source.clamp = word == "clamp";
  }
  if (const Json* names = json.find("given")) source.given = need_strings(*names, place + ".given");
  if (const Json* least = json.find("min_group")) {
    const Integer people = need_natural(*least, place + ".min_group");
    if (people < 1 || (people >> 60) != 0)
      throw data_error(place + ".min_group", "this must be a number of people", "for example 20");
    source.min_group = static_cast<uint64_t>(people);
  }
  if (const Json* names = json.find("merged")) source.merged = need_strings(*names, place + ".merged");
  if (const Json* names = json.find("left_out")) source.left_out = need_strings(*names, place + ".left_out");
  if (const Json* dropped = json.find("dropped")) source.dropped = read_dropped(*dropped, place + ".dropped");
  if (const Json* person = json.find("person")) source.person = read_person(*person, place + ".person");
  if (const Json* weight = json.find("weight"))
    source.weight = read_row_weight(*weight, place + ".weight", source.published.size());
  if (const Json* count = json.find("count")) source.people = need_string(*count, place + ".count");
  if (const Json* said = json.find("rows_independent")) {
    if (!said->if_boolean())
      throw data_error(place + ".rows_independent", "this must be true or false", "write true or false");
    source.rows_independent = *said->if_boolean();
  }
  return source;
}

void add_bins(Json& json, const Source& source) {
  if (source.bin) {
    Json bin = Json::object();
    bin.add("width", number_to_json(source.bin->width));
    bin.add("middle", number_to_json(source.bin->middle));
    json.add("bin", std::move(bin));
  }
  if (source.edges.empty()) return;
  Json edges = Json::array();
  for (const Rational& edge : source.edges) edges.if_array()->push_back(number_to_json(edge));
  json.add("edges", std::move(edges));
}

Json source_to_json(const Source& source, const std::vector<Axis>& axes) {
  Json json = Json::object();
  const Json labels = axes_to_json(
      axes, [](const Axis& axis) { return !axis.labels.empty(); },
      [](const Axis& axis) { return Json::strings(axis.labels); });
  const Json steps = axes_to_json(
      axes, [](const Axis& axis) { return axis.step.has_value(); },
      [](const Axis& axis) { return axis.step ? number_to_json(*axis.step) : Json::null(); });
  json.add("secret", Json::strings(source.secret));
  json.add("public", Json::strings(source.published));
  if (!source.labels.empty()) json.add("labels", Json::strings(source.labels));
  if (!labels.is_null()) json.add("labels", labels);
  if (!source.na.empty()) json.add("na", Json::strings(source.na));
  if (source.missing != Missing::kError) json.add("missing", Json::string(word_of(source.missing)));
  if (!source.header) json.add("header", Json::boolean(false));
  if (source.step) json.add("step", number_to_json(*source.step));
  if (!steps.is_null()) json.add("step", steps);
  if (source.clip) {
    json.add("clip", Json::array({number_to_json(source.clip->first), number_to_json(source.clip->second)}));
  }
  add_bins(json, source);
  if (!source.rare.empty()) json.add("rare", Json::strings(source.rare));
  if (source.clamp) json.add("range", Json::string(*source.clamp ? "clamp" : "free"));
  if (!source.given.empty()) json.add("given", Json::strings(source.given));
  if (source.min_group > 0) json.add("min_group", Json::number(static_cast<long long>(source.min_group)));
  if (!source.merged.empty()) json.add("merged", Json::strings(source.merged));
  if (!source.left_out.empty()) json.add("left_out", Json::strings(source.left_out));
  if (!source.dropped.empty()) json.add("dropped", dropped_to_json(source.dropped));
  if (source.person) json.add("person", person_to_json(*source.person));
  if (source.weight) json.add("weight", row_weight_to_json(*source.weight));
  if (!source.people.empty()) json.add("count", Json::string(source.people));
  if (source.rows_independent) json.add("rows_independent", Json::boolean(true));
  return json;
}

}  // namespace fugu::inline in_scenario
