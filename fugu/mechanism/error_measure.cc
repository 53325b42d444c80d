#include "fugu/mechanism/error_measure.h"

#include <fmt/format.h>

#include <algorithm>

#include "fugu/core/json_read.h"

namespace fugu::inline in_mechanism {
namespace {

constexpr const char* kNames[] = {"squared", "absolute", "zero-one", "table"};

size_t place_of(const std::vector<int64_t>& indices, int64_t index) {
  return static_cast<size_t>(std::lower_bound(indices.begin(), indices.end(), index) - indices.begin());
}

}  // namespace

Rational ErrorMeasure::of(int64_t input, int64_t output, const Lattice& lattice) const {
  Rational distance = lattice.step * (output < input ? input - output : output - input);
  switch (kind) {
    case kSquared:
      return distance * distance;
    case kAbsolute:
      return distance;
    case kZeroOne:
      return Rational(input == output ? 0 : 1);
    case kTable:
      break;
  }
  return costs.at(place_of(inputs, input)).at(place_of(outputs, output));
}

bool ErrorMeasure::covers(const std::vector<int64_t>& from, const std::vector<int64_t>& to) const {
  return kind != kTable || (std::includes(inputs.begin(), inputs.end(), from.begin(), from.end()) &&
                            std::includes(outputs.begin(), outputs.end(), to.begin(), to.end()));
}

std::string ErrorMeasure::name() const { return kNames[kind]; }

ErrorMeasure error_measure_named(const std::string& name, const std::string& option) {
  for (const auto kind : {ErrorMeasure::kSquared, ErrorMeasure::kAbsolute, ErrorMeasure::kZeroOne}) {
    if (name == kNames[kind]) return {.kind = kind};
  }
  throw Error(ErrorKind::kUsage, fmt::format("{}: there is no loss '{}'", option, name),
              "use squared, absolute, zero-one, or the CSV file of a table");
}

Json error_measure_to_json(const ErrorMeasure& measure, const Lattice& lattice) {
  if (measure.kind != ErrorMeasure::kTable) return Json::string(measure.name());
  Json rows = Json::array();
  for (const auto& row : measure.costs) {
    Json costs = Json::array();
    for (const Rational& cost : row) costs.if_array()->push_back(number_to_json(cost));
    rows.if_array()->push_back(std::move(costs));
  }
  Json json = Json::object();
  json.add("inputs", points_to_json(measure.inputs, lattice));
  json.add("outputs", points_to_json(measure.outputs, lattice));
  json.add("costs", std::move(rows));
  return json;
}

ErrorMeasure error_measure_from_json(const Json& json, const Lattice& lattice, const std::string& place) {
  if (json.if_string()) {
    try {
      return error_measure_named(*json.if_string(), place);
    } catch (const Error& error) {
      throw Error(ErrorKind::kData, error.message(), "calibrate again");
    }
  }
  check_keys(json, place, {"inputs", "outputs", "costs"});
  ErrorMeasure measure{.kind = ErrorMeasure::kTable};
  measure.inputs = need_points(need(json, "inputs", place), lattice, place + ".inputs");
  measure.outputs = need_points(need(json, "outputs", place), lattice, place + ".outputs");
  for (const Json& row : need_array(need(json, "costs", place), place + ".costs")) {
    measure.costs.emplace_back();
    for (const Json& cost : need_array(row, place + ".costs"))
      measure.costs.back().push_back(need_number(cost, place + ".costs"));
    if (measure.costs.back().size() != measure.outputs.size())
      throw data_error(place + ".costs", "there must be one cost for each output", "calibrate again");
  }
  if (measure.costs.size() != measure.inputs.size())
    throw data_error(place + ".costs", "there must be one row for each input", "calibrate again");
  return measure;
}

}  // namespace fugu::inline in_mechanism
