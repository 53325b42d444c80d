#include "fugu/report/line_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "fugu/report/svg.h"

namespace fugu {
namespace {

constexpr Page kPage;

ChartAxis x_axis(const LineChart& chart) {
  ChartAxis axis{0, 1, kPage.left, kPage.right, false};
  if (chart.x_range) {
    std::tie(axis.low, axis.high) = *chart.x_range;
    return axis;
  }
  bool first = true;
  for (const ChartSeries& series : chart.series) {
    for (const auto& [x, y] : series.points) {
      axis.low = first ? x : std::min(axis.low, x);
      axis.high = first ? x : std::max(axis.high, x);
      first = false;
    }
  }
  if (axis.low == axis.high) axis.high = axis.low + 1;
  return axis;
}

ChartAxis y_axis(const LineChart& chart) {
  ChartAxis axis{0, 1, kPage.bottom, kPage.top, chart.log_y};
  if (chart.y_range) {
    std::tie(axis.low, axis.high) = *chart.y_range;
    return axis;
  }
  bool first = true;
  for (const ChartSeries& series : chart.series) {
    for (const auto& [x, y] : series.points) {
      if (chart.log_y && y <= 0) continue;
      axis.low = first ? y : std::min(axis.low, y);
      axis.high = first ? y : std::max(axis.high, y);
      first = false;
    }
  }
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

std::string line_of(const ChartSeries& series, const Stroke& stroke, const ChartAxis& x, const ChartAxis& y) {
  std::string points;
  double end_x = 0;
  bool ended = false;
  for (const auto& [px, py] : series.points) {
    ended = y.log && py <= 0;
    end_x = x.place(px);
    // Beyond the range a line goes on a little, out of sight behind the edge.
    double at = ended ? y.at_low : y.place(py);
    at = std::clamp(at, y.at_high - 1000, y.at_low + 1000);
    points += fmt::format("{}{:.2f},{:.2f}", points.empty() ? "" : " ", end_x, at);
    if (ended) break;
  }
  std::string out = fmt::format(
      "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2.2\" stroke-linejoin=\"round\"{} "
      "clip-path=\"url(#plot)\"/>\n",
      points, stroke.colour, dash_attribute(stroke));
  if (ended) {
    out += fmt::format("<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"4.5\" fill=\"{}\" stroke=\"#ffffff\"/>\n",
                       end_x, y.at_low, stroke.colour);
  }
  return out;
}

// The words stand up and to the right of the point, with a line to it.
std::string note_of(const ChartNote& note, const ChartAxis& x, const ChartAxis& y) {
  const double px = x.place(note.x), py = note.y <= 0 && y.log ? y.at_low : y.place(note.y);
  return fmt::format("<line x1=\"{:.2f}\" y1=\"{:.2f}\" x2=\"{:.2f}\" y2=\"{:.2f}\" stroke=\"#444444\"/>\n",
                     px + 5, py - 5, px + 24, py - 22) +
         fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\" font-style=\"italic\">{}</text>\n", px + 28, py - 22,
                     escaped(note.text));
}

}  // namespace

std::string to_svg(const LineChart& chart) {
  const ChartAxis x = x_axis(chart), y = y_axis(chart);
  const auto y_ticks = chart.log_y ? log_ticks(y.low, y.high) : round_ticks(y.low, y.high, 6);
  std::string out = page_begin(kPage, chart.title);
  out += x_grid(kPage, ticks_at(round_ticks(x.low, x.high, 8), x));
  out += y_grid(kPage, ticks_at(y_ticks, y)) + plot_frame(kPage);
  std::vector<std::string> names;
  for (size_t k = 0; k < chart.series.size(); ++k) {
    out += line_of(chart.series[k], stroke_of(k), x, y);
    names.push_back(chart.series[k].name);
  }
  for (const ChartNote& note : chart.notes) out += note_of(note, x, y);
  return out + line_legend(kPage, names) + page_end(kPage, chart.x_title, chart.y_title);
}

}  // namespace fugu
