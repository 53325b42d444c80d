#include "fugu/core/json_read.h"
#include "fugu/preview/preview.h"
#include "fugu/preview/utility.h"

namespace fugu::inline in_preview {
namespace {

Json whole_to_json(uint64_t number) { return Json::number(static_cast<long long>(number)); }

Json numbers_to_json(const std::vector<double>& numbers) {
  Json json = Json::array();
  for (double number : numbers) json.if_array()->push_back(Json::number(number));
  return json;
}

Json matrix_to_json(const std::vector<std::vector<double>>& matrix) {
  Json json = Json::array();
  for (const std::vector<double>& row : matrix) json.if_array()->push_back(numbers_to_json(row));
  return json;
}

Json matrix_to_json(const std::vector<std::vector<std::optional<double>>>& matrix) {
  Json json = Json::array();
  for (const auto& row : matrix) {
    Json::Array cells;
    for (const auto& cell : row) cells.push_back(cell ? Json::number(*cell) : Json::null());
    json.if_array()->push_back(Json::array(std::move(cells)));
  }
  return json;
}

Json texts_to_json(const std::vector<std::vector<std::string>>& rows) {
  Json json = Json::array();
  for (const auto& row : rows) json.if_array()->push_back(Json::strings(row));
  return json;
}

void add_numbers(Json& json, const PreviewColumn& column) {
  if (!column.numbers) {
    json.add("mean", Json::null());
    json.add("spread", Json::null());
    return;
  }
  const PreviewColumn::Numbers& numbers = *column.numbers;
  Json mean = Json::object();
  mean.add("before", Json::number(numbers.mean_before));
  mean.add("after", Json::number(numbers.mean_after));
  mean.add("sd", Json::number(numbers.mean_deviation));
  mean.add("texts",
           column.date ? Json::strings({numbers.mean_before_text, numbers.mean_after_text}) : Json::null());
  json.add("mean", std::move(mean));
  Json spread = Json::object();
  spread.add("before", Json::number(numbers.spread_before));
  spread.add("after", Json::number(numbers.spread_after));
  json.add("spread", std::move(spread));
}

Json column_to_json(const PreviewColumn& column) {
  Json json = Json::object();
  json.add("name", Json::string(column.name));
  json.add("kind", Json::string(column.number ? "number" : "category"));
  json.add("date", Json::boolean(column.date));
  json.add("known", Json::boolean(column.known));
  json.add("unchanged", Json::number(column.unchanged));
  json.add("labels", Json::strings(column.labels));
  json.add("before", numbers_to_json(column.before));
  json.add("after", numbers_to_json(column.after));
  json.add("sd", numbers_to_json(column.deviation));
  json.add("vanished", Json::strings(column.vanished));
  add_numbers(json, column);
  return json;
}

Json associations_to_json(const Preview& preview) {
  Json json = Json::object();
  json.add("names", Json::strings(preview.names));
  Json measures = Json::array();
  for (const auto& row : preview.measures) {
    std::vector<std::string> names;
    for (Measure measure : row) names.emplace_back(name_of(measure));
    measures.if_array()->push_back(Json::strings(names));
  }
  json.add("measures", std::move(measures));
  json.add("before", matrix_to_json(preview.before));
  json.add("after", matrix_to_json(preview.after));
  return json;
}

Json cross_to_json(const std::optional<PreviewCross>& cross) {
  if (!cross) return Json::null();
  Json json = Json::object();
  json.add("columns", Json::strings({cross->row_column, cross->column_column}));
  json.add("rows", Json::strings(cross->row_labels));
  json.add("columns_labels", Json::strings(cross->column_labels));
  json.add("before", matrix_to_json(cross->before));
  json.add("after", matrix_to_json(cross->after));
  return json;
}

Json sample_to_json(const PreviewSample& sample) {
  Json json = Json::object();
  json.add("columns", Json::strings(sample.columns));
  json.add("before", texts_to_json(sample.before));
  json.add("after", texts_to_json(sample.after));
  json.add("secret", Json::strings(sample.secrets));
  json.add("secret_released", Json::boolean(sample.secret_released));
  json.add("of", Json::string(sample.of_table ? "table" : "plan"));
  return json;
}

Json columns_to_json(const std::vector<PreviewColumn>& columns) {
  Json json = Json::array();
  for (const PreviewColumn& column : columns) json.if_array()->push_back(column_to_json(column));
  return json;
}

}  // namespace

Json preview_to_json(const Preview& preview) {
  Json json = Json::object();
  json.add("fugu", whole_to_json(1));
  json.add("private", Json::boolean(true));
  json.add("rows", preview.rows ? whole_to_json(*preview.rows) : Json::null());
  json.add("draws", whole_to_json(preview.draws));
  json.add("simulated", whole_to_json(preview.simulated));
  json.add("unchanged", Json::number(preview.unchanged));
  json.add("columns", columns_to_json(preview.columns));
  json.add("associations", associations_to_json(preview));
  json.add("cross", cross_to_json(preview.cross));
  json.add("guess", leakage_to_json(preview.leakage));
  json.add("sample", sample_to_json(preview.sample));
  json.add("notes", Json::strings(preview.notes));
  return json;
}

Json utility_to_json(const Preview& utility) {
  Json json = Json::object();
  json.add("fugu", whole_to_json(1));
  json.add("private", Json::boolean(true));
  json.add("rows", utility.rows ? whole_to_json(*utility.rows) : Json::null());
  json.add("released", whole_to_json(utility.simulated));
  Json columns = Json::array();
  for (const PreviewColumn& column : utility.columns) {
    Json one = column_to_json(column);
    // Which rows changed, and by how much another draw would differ, one release does not say.
    std::erase_if(*one.if_object(), [](const Json::Member& member) {
      return member.first == "unchanged" || member.first == "sd" || member.first == "vanished";
    });
    columns.if_array()->push_back(std::move(one));
  }
  json.add("columns", std::move(columns));
  json.add("associations", associations_to_json(utility));
  return json;
}

}  // namespace fugu::inline in_preview
