#include "fugu/show/line_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

namespace fugu::inline in_show {
namespace {

constexpr double kLineHeight = 352;
constexpr Look kUprightLook{kLimit, "7 4", "", 2}, kRingLook{kLimit, nullptr, kRing, 2.5};

// The least and the largest of one coordinate over all points; of a logarithmic axis those above 0.
template <class Of>
std::pair<double, double> range_of(const LineChart& chart, bool log, const Of& of) {
  std::pair range{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  auto take = [&](double value) {
    if (log && value <= 0) return;
    range = {std::min(range.first, value), std::max(range.second, value)};
  };
  for (const ChartSeries& series : chart.series) {
    for (const auto& point : series.points) take(of(point));
  }
  if (chart.ring) take(of(std::pair{chart.ring->x, chart.ring->y}));
  return range;
}

ChartAxis x_axis(const LineChart& chart, const Page& page) {
  ChartAxis axis{0, 1, page.left, page.right, chart.log_x};
  std::tie(axis.low, axis.high) =
      chart.x_range ? *chart.x_range
                    : range_of(chart, chart.log_x, [](const auto& point) { return point.first; });
  if (chart.upright) {
    axis.low = std::min(axis.low, chart.upright->first);
    axis.high = std::max(axis.high, chart.upright->first);
  }
  if (chart.log_x) {
    axis.low /= 1.15;
    axis.high *= 1.15;
  } else if (axis.low == axis.high) {
    axis.high = axis.low + 1;
  }
  return axis;
}

ChartAxis y_axis(const LineChart& chart, const Page& page) {
  ChartAxis axis{0, 1, page.bottom, page.top, chart.log_y};
  std::tie(axis.low, axis.high) =
      range_of(chart, chart.log_y, [](const auto& point) { return point.second; });
  if (chart.log_y) {
    axis.low = std::pow(10.0, std::floor(std::log10(axis.low)));
    axis.high = std::pow(10.0, std::ceil(std::log10(axis.high)));
    if (axis.low == axis.high) axis.high *= 10;
    return axis;
  }
  axis.low = std::min(axis.low, 0.0);
  if (axis.low == axis.high) axis.high = axis.low + 1;
  return axis;
}

double foot_or_place(const ChartAxis& y, double value) {
  return y.log && value <= 0 ? y.at_low : y.place(value);
}

std::string line_of(const ChartSeries& series, const ChartAxis& x, const ChartAxis& y) {
  std::string points;
  for (const auto& [px, py] : series.points) {
    if (!x.holds(px)) continue;
    points += fmt::format("{}{:.2f},{:.2f}", points.empty() ? "" : " ", x.place(px), foot_or_place(y, py));
    if (y.log && py <= 0) break;
  }
  return fmt::format("<polyline points=\"{}\" stroke-linejoin=\"round\"{}/>\n", points,
                     stroke(series.look.paint, series.look.width, series.look.dash));
}

// The symbols of its points, and a dot where it ends at the foot.
std::string signs_of(const ChartSeries& series, const ChartAxis& x, const ChartAxis& y) {
  std::string out;
  for (size_t k = 0; k < series.points.size(); ++k) {
    const auto& [px, py] = series.points[k];
    const bool seen = x.holds(px), ended = y.log && py <= 0;
    if (seen && ended) {
      out += fmt::format("<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"4.5\"{}/>\n", x.place(px), y.at_low,
                         fill(series.look.paint));
    } else if (seen && k < series.hints.size()) {
      out +=
          symbol_at(x.place(px), y.place(py), series.look.symbol, fill(series.look.paint), series.hints[k]);
    }
    if (ended) break;
  }
  return out;
}

// The words stand up and to the right of the point, with a line to it.
std::string note_of(const ChartNote& note, const ChartAxis& x, const ChartAxis& y) {
  const double px = x.place(note.x), py = foot_or_place(y, note.y);
  return line_from(px + 5, py - 5, px + 24, py - 22, stroke(kFrame)) +
         words_at(px + 28, py - 22, note.text, " font-style=\"italic\"");
}

std::vector<LegendEntry> entries_of(const LineChart& chart) {
  std::vector<LegendEntry> entries;
  for (const ChartSeries& series : chart.series) {
    Look look = series.look;
    if (series.hints.empty()) look.symbol = "";
    entries.push_back({series.name, look});
  }
  if (chart.ring) entries.push_back({chart.ring->text, kRingLook});
  if (chart.upright) entries.push_back({chart.upright->second, kUprightLook});
  return entries;
}

std::vector<Tick> axis_ticks(const ChartAxis& axis, int wanted) {
  return ticks_at(axis.log ? log_ticks(axis.low, axis.high) : round_ticks(axis.low, axis.high, wanted), axis);
}

}  // namespace

std::string to_svg(const LineChart& chart, const PlotName& name, const PlotSetting& setting) {
  Page page = page_of(setting, kLineHeight);
  const std::vector<LegendEntry> entries = entries_of(chart);
  make_room(page, entries);
  const ChartAxis x = x_axis(chart, page), y = y_axis(chart, page);
  std::string out = page_begin(page, name, setting);
  out += x_grid(page, axis_ticks(x, setting.narrow() ? 4 : 8)) + y_grid(page, axis_ticks(y, 6));
  if (chart.upright) {
    const double at = x.place(chart.upright->first);
    out += line_from(at, page.top, at, page.bottom, stroke(kLimit, kUprightLook.width, kUprightLook.dash));
  }
  for (const ChartSeries& series : chart.series) out += line_of(series, x, y);
  out += plot_frame(page);
  for (const ChartSeries& series : chart.series) out += signs_of(series, x, y);
  if (chart.ring)
    out += symbol_at(x.place(chart.ring->x), y.place(chart.ring->y), kRing, stroke(kLimit, kRingLook.width));
  for (const ChartNote& note : chart.notes) out += note_of(note, x, y);
  return out + legend_of(page, entries) + page_end(page, chart.x_title, chart.y_title);
}

}  // namespace fugu::inline in_show
