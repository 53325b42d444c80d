// What a release leaves of each column, and of a few rows: from the JSON of a preview (docs/formats.md,
// "Preview"), which is private and simulated.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fugu/report/picture.h"
#include "fugu/report/picture_read.h"
#include "fugu/report/plot_kinds.h"
#include "fugu/show/wording.h"

namespace fugu::inline in_report {
namespace {

std::vector<double> shares_at(const Json& column, const char* key) {
  std::vector<double> shares;
  for (const Json& share : list_at(column, key)) shares.push_back(number_of(share));
  return shares;
}

// What the plot shows, in a sentence or two.
std::string column_text(const Json& column, const std::vector<std::string>& labels,
                        const std::vector<double>& before, const std::vector<double>& after) {
  size_t worst = 0;
  for (size_t k = 0; k < labels.size(); ++k) {
    if (std::abs(after[k] - before[k]) > std::abs(after[worst] - before[worst])) worst = k;
  }
  std::string text =
      fmt::format("About {} of its values stay unchanged.", share_text(number_at(column, "unchanged")));
  if (std::abs(after[worst] - before[worst]) >= 0.0005)
    text += fmt::format(" The largest change of a share is at {}: {} before, {} after.", labels[worst],
                        share_text(before[worst]), share_text(after[worst]));
  else
    text += " No share changes by as much as a tenth of a point.";
  if (has(column, "mean")) {
    const Json& mean = need(column, "mean", "preview");
    const bool dates = has(mean, "texts");
    if (!dates)
      text += fmt::format(" Its mean is {} before and {} after", compact(number_at(mean, "before"), 4),
                          compact(number_at(mean, "after"), 4));
    if (!dates && has(column, "spread")) {
      const Json& spread = need(column, "spread", "preview");
      text += fmt::format(", its spread {} and {}", compact(number_at(spread, "before"), 3),
                          compact(number_at(spread, "after"), 3));
    }
    if (!dates) text += ".";
  }
  const std::vector<std::string> vanished = texts_at(column, "vanished");
  if (!vanished.empty())
    text += fmt::format(" Hardly anything is left of {}.", counted(vanished.size(), "value"));
  return text;
}

Plot column_plot(const Json& column) {
  const std::string name = printable(text_at(column, "name"));
  std::vector<std::string> labels;
  for (const std::string& label : texts_at(column, "labels")) labels.push_back(printable(label));
  const std::vector<double> before = shares_at(column, "before"), after = shares_at(column, "after");
  Plot plot;
  plot.name = {fmt::format("{}, before and after", name), column_text(column, labels, before, after)};
  plot.head = {name, "before", "after"};
  ValueChart chart{named_values(name, labels), "share of the rows", {}, labels};
  chart.percents = true;
  for (size_t k = 0; k < labels.size(); ++k) {
    plot.rows.push_back({labels[k], share_text(before[k]), share_text(after[k])});
    chart.hints[k] += fmt::format("; before: {}; after: {}", share_text(before[k]), share_text(after[k]));
  }
  chart.series.push_back({"before", before, Look{kPale}});
  chart.series.push_back({"after", after, look_of(0)});
  plot.chart = std::move(chart);
  plot.column = name;
  return plot;
}

}  // namespace

void add_before_after(Json& picture, const Json& preview) {
  Json columns = Json::array();
  for (const Json& column : list_at(preview, "columns")) {
    if (!is_true(column, "known") && !list_at(column, "labels").empty())
      columns.if_array()->push_back(column);
  }
  Json shares = Json::object();
  shares.add("picture", Json::string("shares"));
  shares.add("columns", std::move(columns));
  shares.add("draws", need(preview, "draws", "preview"));
  shares.add("notes", need(preview, "notes", "preview"));
  picture.add("shares", std::move(shares));
  for (const char* key : {"sample", "associations"}) picture.add(key, need(preview, key, "preview"));
}

DrawnPicture draw_shares(const Json& shares) {
  DrawnPicture drawn;
  for (const Json& column : list_at(shares, "columns")) drawn.figures.push_back({column_plot(column)});
  for (const std::string& note : texts_at(shares, "notes")) drawn.notes.push_back(printable(note));
  return drawn;
}

}  // namespace fugu::inline in_report
