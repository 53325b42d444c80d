#include "fugu/core/json_read.h"

#include <fmt/format.h>

#include <algorithm>

#include "fugu/core/digits.h"

namespace fugu::inline in_core {

Error data_error(const std::string& place, const std::string& message, const std::string& hint) {
  return Error(ErrorKind::kData, place + ": " + message, hint);
}

void check_keys(const Json& object, const std::string& place, std::initializer_list<std::string_view> known) {
  const Json::Object* members = object.if_object();
  if (!members) throw data_error(place, "this must be an object", "write it in { }");
  for (const auto& [key, value] : *members) {
    if (std::find(known.begin(), known.end(), key) == known.end()) {
      throw data_error(place, fmt::format("the key \"{}\" is unknown", key),
                       fmt::format("known keys: {}", fmt::join(known, ", ")));
    }
  }
}

const Json& need(const Json& object, std::string_view key, const std::string& place) {
  const Json* value = object.find(key);
  if (!value) {
    throw data_error(place, fmt::format("the key \"{}\" is missing", key),
                     "see docs/formats.md for what the file holds");
  }
  return *value;
}

std::optional<Rational> if_number(const Json& value) {
  const Json::Number* number = value.if_number();
  const std::string* text = value.if_string();
  return number ? parse_decimal(number->literal) : text ? parse_number(*text) : std::nullopt;
}

Rational need_number(const Json& value, const std::string& place) {
  auto result = if_number(value);
  if (!result) {
    throw data_error(place, "this is not a number that fugu can use",
                     "write a count, a decimal such as 0.225, or a fraction such as \"1/3\"");
  }
  return *std::move(result);
}

Integer need_natural(const Json& value, const std::string& place) {
  constexpr size_t kMostDigits = 10000;
  const std::string digits = value.if_number() ? value.if_number()->literal : need_string(value, place);
  if (digits.empty() || digits.size() > kMostDigits ||
      digits.find_first_not_of("0123456789") != std::string::npos) {
    throw data_error(place, "this must be a whole number, not negative", "write it in decimal digits");
  }
  return parse_digits(digits);
}

std::string need_string(const Json& value, const std::string& place) {
  const std::string* text = value.if_string();
  if (!text) throw data_error(place, "this must be text in quotes", "write it as \"…\"");
  return *text;
}

std::vector<std::string> need_strings(const Json& value, const std::string& place) {
  std::vector<std::string> result;
  for (const Json& item : need_array(value, place)) result.push_back(need_string(item, place));
  return result;
}

const Json::Array& need_array(const Json& value, const std::string& place) {
  const Json::Array* items = value.if_array();
  if (!items) throw data_error(place, "this must be a list", "write it in [ ]");
  return *items;
}

Json number_to_json(const Rational& value) {
  auto places = decimal_places(value);
  return places && *places <= kMaxExponent ? Json::number(to_text(value)) : Json::string(to_text(value));
}

Json lattice_to_json(const Lattice& lattice) {
  Json json = Json::object();
  json.add("step", number_to_json(lattice.step));
  json.add("origin", number_to_json(lattice.origin));
  return json;
}

Lattice lattice_from_json(const Json& json, const std::string& place) {
  check_keys(json, place, {"step", "origin"});
  Lattice lattice;
  lattice.step = need_number(need(json, "step", place), place + ".step");
  if (lattice.step <= 0)
    throw data_error(place + ".step", "the step must be greater than 0", "for example 1");
  if (const Json* origin = json.find("origin")) lattice.origin = need_number(*origin, place + ".origin");
  lattice.origin -= lattice.step * Rational(floor(Rational(lattice.origin / lattice.step)));
  return lattice;
}

Json points_to_json(const std::vector<int64_t>& points, const Lattice& lattice) {
  Json json = Json::array();
  for (int64_t point : points) json.if_array()->push_back(number_to_json(lattice.value(point)));
  return json;
}

std::vector<int64_t> need_points(const Json& value, const Lattice& lattice, const std::string& place) {
  std::vector<int64_t> points;
  for (const Json& item : need_array(value, place)) {
    const auto point = lattice.index(need_number(item, place));
    if (!point) throw data_error(place, "a value is not on the lattice", "calibrate again");
    if (!points.empty() && *point <= points.back())
      throw data_error(place, "the values must increase", "calibrate again");
    points.push_back(*point);
  }
  if (points.empty()) throw data_error(place, "there must be a value", "calibrate again");
  return points;
}

}  // namespace fugu::inline in_core
