#include "fugu/show/value_chart.h"

#include <fmt/format.h>

#include <algorithm>

namespace fugu::inline in_show {
namespace {

constexpr double kThinnestBar = 2.5;  // pixels; below that lines are drawn
constexpr size_t kMostBars = 90;      // and above that many
constexpr double kPartOfGap = 0.82;   // that the bars of one value fill
constexpr double kPlotHeight = 300;
constexpr Look kLimitLook{kLimit, "7 4", "", 2};

// The axes, and how much of a gap one bar has.
struct ValueFrame {
  ChartAxis x, y;
  double gap, bar;
  bool bars;
};

ValueFrame frame_of(const ValueChart& chart, const Page& page) {
  double top = chart.limit ? chart.limit->first : 0;
  for (const ValueSeries& series : chart.series) {
    for (double height : series.heights) top = std::max(top, height);
  }
  const ValueSpan span = span_of(chart.values);
  const ChartAxis x{span.low, span.high, page.left, page.right, false};
  const double gap = x.place(span.low + span.gap) - x.at_low;
  const double bar = kPartOfGap * gap / static_cast<double>(chart.series.size());
  const size_t count = chart.series.size() * chart.values.at.size();
  const bool pale = std::ranges::any_of(chart.series, &ValueSeries::pale);
  return {x,
          {0, top > 0 ? 1.06 * top : 1, page.bottom, page.top, false},
          gap,
          bar,
          bar >= kThinnestBar && count <= kMostBars && !pale};
}

std::string bars_of(const ValueChart& chart, size_t place, const ValueFrame& frame) {
  const ValueSeries& series = chart.series[place];
  const double offset = frame.bar * static_cast<double>(place) - kPartOfGap * frame.gap / 2;
  std::string out;
  for (size_t k = 0; k < series.heights.size(); ++k) {
    if (series.heights[k] <= 0) continue;
    const double top = frame.y.place(series.heights[k]);
    out += box_at(frame.x.place(chart.values.at[k]) + offset, top, frame.bar, frame.y.at_low - top,
                  fill(series.look.paint));
  }
  return out;
}

// A line, with an area below it where it is the only one.
std::string curve_of(const ValueChart& chart, const ValueSeries& series, const ValueFrame& frame) {
  std::string points;
  for (size_t k = 0; k < series.heights.size(); ++k) {
    points += fmt::format("{}{:.2f},{:.2f}", points.empty() ? "" : " ", frame.x.place(chart.values.at[k]),
                          frame.y.place(series.heights[k]));
  }
  std::string out;
  const bool alone = chart.series.size() == 1;
  if (alone) {
    out = fmt::format("<polygon points=\"{:.2f},{:.2f} {} {:.2f},{:.2f}\"{} fill-opacity=\"0.35\"/>\n",
                      frame.x.place(chart.values.at.front()), frame.y.at_low, points,
                      frame.x.place(chart.values.at.back()), frame.y.at_low, fill(series.look.paint));
  }
  return out + fmt::format("<polyline points=\"{}\" stroke-linejoin=\"round\"{}/>\n", points,
                           series.pale
                               ? stroke(kPale, 1)
                               : stroke(alone ? look_of(0).paint : series.look.paint, 1.6, series.look.dash));
}

// A strip over each value, for its hint.
std::string strips_of(const ValueChart& chart, const ValueFrame& frame) {
  std::string out;
  if (frame.gap < 1) return out;
  for (size_t k = 0; k < chart.hints.size(); ++k) {
    out += box_at(frame.x.place(chart.values.at[k]) - frame.gap / 2, frame.y.at_high, frame.gap,
                  frame.y.at_low - frame.y.at_high, " fill-opacity=\"0\"", chart.hints[k]);
  }
  return out;
}

std::vector<LegendEntry> entries_of(const ValueChart& chart, bool bars) {
  std::vector<LegendEntry> entries;
  size_t pale = 0;
  for (const ValueSeries& series : chart.series) {
    pale += series.pale;
    if (!series.pale && !series.name.empty())
      entries.push_back({series.name, {series.look.paint, series.look.dash, "", bars ? 0.0 : 2.0}});
  }
  if (pale > 0) entries.push_back({fmt::format("{} others", pale), {kPale, "", "", 1}});
  if (chart.star) entries.push_back({chart.star->second, {kLimit, nullptr, kStar}});
  if (chart.limit) entries.push_back({chart.limit->second, kLimitLook});
  return entries;
}

std::vector<Tick> height_ticks(const ChartAxis& y, bool percents) {
  std::vector<Tick> ticks = ticks_at(round_ticks(y.low, y.high, 6), y);
  if (!percents) return ticks;
  ticks.clear();
  for (double height : round_ticks(y.low, y.high, 6))
    ticks.push_back({y.place(height), tick_text(100 * height) + " %"});
  return ticks;
}

}  // namespace

std::string to_svg(const ValueChart& chart, const PlotName& name, const PlotSetting& setting) {
  Page page = page_of(setting, kPlotHeight);
  const bool bars = frame_of(chart, page).bars;
  const std::vector<LegendEntry> entries = entries_of(chart, bars);
  make_room(page, entries);
  const ValueFrame frame = frame_of(chart, page);
  const std::vector<Tick> ticks = value_ticks(chart.values, frame.x, setting);
  const Labels labels = labels_below(page, ticks);

  std::string out = page_begin(page, name, setting);
  out += x_grid(page, ticks, labels) + y_grid(page, height_ticks(frame.y, chart.percents));
  for (const bool pale : {true, false}) {
    for (size_t k = 0; k < chart.series.size(); ++k) {
      if (chart.series[k].pale == pale)
        out += bars ? bars_of(chart, k, frame) : curve_of(chart, chart.series[k], frame);
    }
  }
  out += plot_frame(page);
  if (chart.limit) {
    const double y = frame.y.place(chart.limit->first);
    out += line_from(page.left, y, page.right, y, stroke(kLimit, kLimitLook.width, kLimitLook.dash));
  }
  if (chart.star) {
    const size_t k = chart.star->first;
    out += symbol_at(frame.x.place(chart.values.at[k]), frame.y.place(chart.series[0].heights[k]), kStar,
                     fill(kLimit));
  }
  out += strips_of(chart, frame) + legend_of(page, entries);
  return out + page_end(page, chart.values.title, chart.y_title);
}

}  // namespace fugu::inline in_show
