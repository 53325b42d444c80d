#include "fugu/scenario/source_json.h"

#include <fmt/format.h>

#include <algorithm>

#include "fugu/core/json_read.h"
#include "fugu/scenario/bags.h"
#include "fugu/scenario/raw_values.h"
#include "fugu/scenario/scenario_json.h"

namespace fugu::inline in_scenario {
namespace {

// The members of each column's shape, taken out of the lists.
std::vector<ColumnShape> read_columns(const Json& json, size_t columns, const std::string& place) {
  if (columns < 2) return {shape_from_json(json, place)};
  std::vector<Json> own(columns, Json::object());
  for (const char* key : kShapeKeys) {
    const Json::Array* items = per_column(json.find(key), columns, place + "." + key);
    for (size_t c = 0; items && c < columns; ++c) {
      if (!(*items)[c].is_null()) own[c].add(key, (*items)[c]);
    }
  }
  std::vector<ColumnShape> shapes;
  for (const Json& column : own) shapes.push_back(shape_from_json(column, place));
  return shapes;
}

// The other way round. A column without labels has an empty list of them.
void add_shape(Json& json, const std::vector<Json>& columns, const char* key) {
  const bool labels = std::string_view(key) == "labels";
  Json items = Json::array();
  bool any = false;
  for (const Json& column : columns) {
    const Json* item = column.find(key);
    any = any || item;
    items.if_array()->push_back(item ? *item : labels ? Json::array() : Json::null());
  }
  if (any) json.add(key, columns.size() == 1 ? items.if_array()->front() : items);
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
      if ((count >> 60) != 0) throw data_error(place, "this is not a number of rows", "calibrate again");
      dropped[prior][secret] = static_cast<uint64_t>(count);
    }
  }
  return dropped;
}

uint64_t need_people(const Json& json, const std::string& place) {
  const Integer people = need_natural(json, place);
  if (people < 1 || (people >> 60) != 0)
    throw data_error(place, "this must be a number of people", "for example 20");
  return static_cast<uint64_t>(people);
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
  const Integer rows = need_natural(need(json, "rows", place), place + ".rows");
  if (rows < 1 || rows > kMostRowsOfPerson) {
    throw data_error(place + ".rows", "this must be a number of rows of one person",
                     fmt::format("write a whole number from 1 to {}", kMostRowsOfPerson));
  }
  Person person{need_string(need(json, "column", place), place + ".column"),
                need_string(need(json, "seed", place), place + ".seed"), static_cast<uint64_t>(rows)};
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
  json.add("rows", Json::number(static_cast<long long>(person.rows)));
  json.add("seed", Json::string(person.seed));
  return json;
}

}  // namespace

Source read_source(const Json& json, const std::string& place, size_t columns) {
  check_keys(json, place,
             {"secret", "public",    "labels", "map",      "reads",   "na",     "missing",          "header",
              "step",   "clip",      "bin",    "edges",    "rare",    "range",  "range_people",     "given",
              "known",  "min_group", "merged", "left_out", "dropped", "person", "rows_independent", "weight",
              "count",  "also"});
  Source source;
  if (const Json* names = json.find("secret")) source.secret = need_strings(*names, place + ".secret");
  if (const Json* names = json.find("public")) source.published = need_strings(*names, place + ".public");
  if (const Json* person = json.find("person")) source.person = read_person(*person, place + ".person");
  const size_t rows = source.person ? source.person->rows : 1;
  if (rows > 1 && source.published.size() * rows != columns)
    throw data_error(place + ".person.rows", "the values are not of so many rows", "calibrate again");
  const std::vector<ColumnShape> shapes = read_columns(json, columns / rows, place);
  source.columns.clear();
  for (size_t row = 0; row < rows; ++row)
    source.columns.insert(source.columns.end(), shapes.begin(), shapes.end());
  if (const Json* texts = json.find("na")) source.na = need_strings(*texts, place + ".na");
  if (const Json* word = json.find("missing")) {
    const auto named = missing_named(need_string(*word, place + ".missing"));
    if (!named) throw data_error(place + ".missing", "the word is unknown", "write error, drop or keep");
    source.missing = *named;
  }
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
  if (const Json* people = json.find("range_people"))
    source.range_people = need_people(*people, place + ".range_people");
  if (const Json* names = json.find("given")) source.given = need_strings(*names, place + ".given");
  if (const Json* names = json.find("known")) source.known = need_strings(*names, place + ".known");
  if (!source.given.empty() && !source.known.empty()) {
    throw data_error(place + ".known", "columns are given as well",
                     "name all of them under \"known\", or all under \"given\"");
  }
  for (const std::string& name : source.grouping()) {
    if (std::count(source.secret.begin(), source.secret.end(), name) > 0) {
      throw data_error(place, "the secret is among the columns that somebody knows",
                       "name other columns under \"known\" or \"given\"");
    }
  }
  if (const Json* beliefs = json.find("also")) source.also = need_strings(*beliefs, place + ".also");
  if (const Json* least = json.find("min_group")) {
    source.min_group = need_people(*least, place + ".min_group");
  }
  if (const Json* names = json.find("merged")) source.merged = need_strings(*names, place + ".merged");
  if (const Json* names = json.find("left_out")) source.left_out = need_strings(*names, place + ".left_out");
  if (const Json* dropped = json.find("dropped")) source.dropped = read_dropped(*dropped, place + ".dropped");
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

Json source_to_json(const Source& source) {
  std::vector<Json> columns;  // of one row
  const size_t rows = source.person ? source.person->rows : 1;
  for (size_t c = 0; c < source.columns.size() / rows; ++c)
    columns.push_back(shape_to_json(source.columns[c]));
  Json json = Json::object();
  json.add("secret", Json::strings(source.secret));
  json.add("public", Json::strings(source.published));
  add_shape(json, columns, "labels");
  if (!source.na.empty()) json.add("na", Json::strings(source.na));
  if (source.missing != Missing::kError) json.add("missing", Json::string(word_of(source.missing)));
  if (!source.header) json.add("header", Json::boolean(false));
  for (const char* key : kShapeKeys) {
    if (std::string_view(key) != "labels") add_shape(json, columns, key);
  }
  if (source.clamp) json.add("range", Json::string(*source.clamp ? "clamp" : "free"));
  if (source.range_people > 0)
    json.add("range_people", Json::number(static_cast<long long>(source.range_people)));
  if (!source.given.empty()) json.add("given", Json::strings(source.given));
  if (!source.known.empty()) json.add("known", Json::strings(source.known));
  if (!source.also.empty()) json.add("also", Json::strings(source.also));
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
