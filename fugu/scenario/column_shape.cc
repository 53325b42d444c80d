#include "fugu/scenario/column_shape.h"

#include "fugu/core/json_read.h"
#include "fugu/scenario/raw_values.h"

namespace fugu::inline in_scenario {
namespace {

TextMap map_from_json(const Json& json, const std::string& place) {
  check_keys(json, place, {"texts", "rest"});
  TextMap map;
  const Json& texts = need(json, "texts", place);
  if (!texts.if_object()) throw data_error(place + ".texts", "this must be an object", "{\"from\": \"to\"}");
  for (const auto& [from, to] : *texts.if_object())
    map.texts.emplace(from, need_string(to, place + ".texts"));
  if (const Json* rest = json.find("rest")) map.rest = need_string(*rest, place + ".rest");
  return map;
}

Json map_to_json(const TextMap& map) {
  Json texts = Json::object(), json = Json::object();
  for (const auto& [from, to] : map.texts) texts.add(from, Json::string(to));
  json.add("texts", std::move(texts));
  if (map.rest) json.add("rest", Json::string(*map.rest));
  return json;
}

std::pair<Rational, Rational> clip_from_json(const Json& json, const Reading& reads,
                                             const std::string& place) {
  const Json::Array& ends = need_array(json, place);
  if (ends.size() != 2) throw data_error(place, "this must be two numbers", "for example [0, 100]");
  std::pair<Rational, Rational> clip{need_value(reads, ends[0], place), need_value(reads, ends[1], place)};
  if (clip.first > clip.second)
    throw data_error(place, "the first number is above the second", "for example [0, 100]");
  return clip;
}

}  // namespace

std::string ColumnShape::text(const Lattice& lattice, int64_t index) const {
  if (index >= 1 && static_cast<size_t>(index) <= labels.size())
    return labels[static_cast<size_t>(index) - 1];
  return is_categorical() ? to_text(lattice.value(index)) : reads.text(lattice.value(index));
}

ColumnShape shape_from_json(const Json& json, const std::string& place) {
  ColumnShape shape;
  if (const Json* labels = json.find("labels")) shape.labels = need_labels(*labels, place + ".labels");
  if (const Json* map = json.find("map")) shape.map = map_from_json(*map, place + ".map");
  if (const Json* reads = json.find("reads")) shape.reads = reading_from_json(*reads, place + ".reads");
  if (const Json* step = json.find("step")) shape.step = need_step(*step, place + ".step");
  if (const Json* clip = json.find("clip")) shape.clip = clip_from_json(*clip, shape.reads, place + ".clip");
  if (const Json* bin = json.find("bin")) {
    check_keys(*bin, place + ".bin", {"width", "middle"});
    shape.bin = {need_step(need(*bin, "width", place + ".bin"), place + ".bin.width"),
                 need_number(need(*bin, "middle", place + ".bin"), place + ".bin.middle")};
  }
  if (const Json* edges = json.find("edges")) {
    for (const Json& edge : need_array(*edges, place + ".edges"))
      shape.edges.push_back(need_value(shape.reads, edge, place + ".edges"));
  }
  if (const Json* labels = json.find("rare")) shape.rare = need_labels(*labels, place + ".rare");
  return shape;
}

Json shape_to_json(const ColumnShape& shape) {
  Json json = Json::object();
  if (!shape.labels.empty()) json.add("labels", Json::strings(shape.labels));
  if (!shape.map.empty()) json.add("map", map_to_json(shape.map));
  if (!shape.reads.is_plain()) json.add("reads", reading_to_json(shape.reads));
  if (shape.step) json.add("step", number_to_json(*shape.step));
  if (shape.clip) {
    json.add("clip", Json::array({value_to_json(shape.reads, shape.clip->first),
                                  value_to_json(shape.reads, shape.clip->second)}));
  }
  if (shape.bin) {
    Json bin = Json::object();
    bin.add("width", number_to_json(shape.bin->width));
    bin.add("middle", number_to_json(shape.bin->middle));
    json.add("bin", std::move(bin));
  }
  if (!shape.edges.empty()) {
    Json edges = Json::array();
    for (const Rational& edge : shape.edges) edges.if_array()->push_back(value_to_json(shape.reads, edge));
    json.add("edges", std::move(edges));
  }
  if (!shape.rare.empty()) json.add("rare", Json::strings(shape.rare));
  return json;
}

}  // namespace fugu::inline in_scenario
