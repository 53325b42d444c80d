#include "fugu/report/plot.h"

#include <fmt/format.h>

#include "fugu/report/picture_read.h"
#include "fugu/report/plot_kinds.h"

namespace fugu::inline in_report {
namespace {

constexpr PlotSetting kWide{820, false}, kNarrow{340, false};

Json rows_to_json(const std::vector<std::vector<std::string>>& rows) {
  Json json = Json::array();
  for (const auto& row : rows) json.if_array()->push_back(Json::strings(row));
  return json;
}

Json plot_to_json(const Plot& plot, PlotsFor shown) {
  Json table = Json::object();
  table.add("head", Json::strings(plot.head));
  table.add("rows", rows_to_json(plot.rows));
  Json json = Json::object();
  json.add("title", Json::string(plot.name.title));
  json.add("text", Json::string(plot.name.text));
  json.add("column", Json::string(plot.column));
  json.add("choice", Json::string(plot.choice));
  json.add("table", std::move(table));
  json.add("notes", Json::strings(plot.notes));
  json.add("svg", Json::string(to_svg(plot, shown == PlotsFor::kPage ? kWide : PlotSetting{})));
  if (shown == PlotsFor::kPage) json.add("narrow", Json::string(to_svg(plot, kNarrow)));
  return json;
}

}  // namespace

DrawnPicture draw(const Json& picture, const Emphasis& emphasis) {
  const std::string kind = text_at(picture, "picture");
  if (kind == "laws") return draw_laws(picture, emphasis.secrets);
  if (kind == "transport") return draw_transport(picture);
  if (kind == "loss") return draw_loss(picture);
  if (kind == "noise") return draw_noise(picture);
  if (kind == "shares") return draw_shares(picture);
  if (kind == "error") return draw_error(picture, emphasis.method);
  throw data_error("picture", "there is no picture of this kind",
                   "draw one of laws, transport, loss, noise, shares, error");
}

std::string to_svg(const Plot& plot, const PlotSetting& setting) {
  return std::visit([&](const auto& chart) { return to_svg(chart, plot.name, setting); }, plot.chart);
}

Json plots_to_json(const Json& picture, const Emphasis& emphasis, PlotsFor shown) {
  const DrawnPicture drawn = draw(picture, emphasis);
  Json figures = Json::array();
  for (const PlotChoice& choice : drawn.figures) {
    Json plots = Json::array();
    for (const Plot& plot : choice) plots.if_array()->push_back(plot_to_json(plot, shown));
    figures.if_array()->push_back(std::move(plots));
  }
  Json json = Json::object();
  json.add("picture", need(picture, "picture", "picture"));
  json.add("figures", std::move(figures));
  json.add("notes", Json::strings(drawn.notes));
  return json;
}

Json page_of_plan(const Json& picture) {
  Emphasis emphasis;
  const Json* transport = picture.find("transport");
  if (transport && has(*transport, "cells")) emphasis.secrets = texts_at(*transport, "pair");
  if (has(picture, "method")) emphasis.method = text_at(picture, "method");
  Json page = Json::object();
  for (const auto& [key, value] : *picture.if_object()) {
    const bool drawn = key != "fugu" && value.find("picture");
    page.add(key, drawn ? plots_to_json(value, emphasis, PlotsFor::kPage) : value);
  }
  return page;
}

}  // namespace fugu::inline in_report
