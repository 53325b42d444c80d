#include "fugu/report/line_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

namespace fugu {
namespace {

constexpr double kWidth = 760, kHeight = 460;
constexpr double kSlack =
    1e-9;  // an end of an axis that is round but for the rounding of doubles has its tick
constexpr double kLeft = 76, kRight = 740, kTop = 48, kBottom = 400;

struct Stroke {
  const char* colour;
  const char* dash;
};
// Okabe and Ito's colours, which stay apart for colour-blind readers.
constexpr std::array kStrokes{Stroke{"#0072b2", ""},      Stroke{"#d55e00", "9 4"},
                              Stroke{"#009e73", "3 3"},   Stroke{"#cc79a7", "11 3 3 3"},
                              Stroke{"#444444", "1.5 3"}, Stroke{"#e69f00", "6 2 2 2 2 2"}};

const Stroke& stroke_of(size_t series) { return kStrokes[series % kStrokes.size()]; }

std::string escaped(const std::string& text) {
  std::string out;
  for (char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

struct Axis {
  double low = 0, high = 1;
  double at_low = 0, at_high = 1;  // places on the page
  bool log = false;

  double place(double value) const {
    const double share = log ? std::log(value / low) / std::log(high / low) : (value - low) / (high - low);
    return at_low + share * (at_high - at_low);
  }
};

Axis x_axis(const LineChart& chart) {
  Axis axis{0, 1, kLeft, kRight, false};
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

Axis y_axis(const LineChart& chart) {
  Axis axis{0, 1, kBottom, kTop, chart.log_y};
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

std::vector<double> log_ticks(double low, double high) {
  std::vector<double> ticks;
  const auto first = std::lround(std::ceil(std::log10(low) - kSlack));
  const auto last = std::lround(std::floor(std::log10(high) + kSlack));
  for (auto k = first; k <= last; ++k) ticks.push_back(std::pow(10.0, k));
  return ticks;
}

std::string tick_text(double value) {
  if (std::abs(value) < 1e-12) return "0";
  return fmt::format("{:.6g}", value);
}

std::string grid(const LineChart& chart, const Axis& x, const Axis& y) {
  std::string out;
  for (double tick : round_ticks(x.low, x.high, 8)) {
    out += fmt::format(
        "<line x1=\"{0:.2f}\" y1=\"{1:.2f}\" x2=\"{0:.2f}\" y2=\"{2:.2f}\" stroke=\"#dddddd\"/>\n",
        x.place(tick), kTop, kBottom);
    out += fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\" text-anchor=\"middle\">{}</text>\n", x.place(tick),
                       kBottom + 18, tick_text(tick));
  }
  for (double tick : chart.log_y ? log_ticks(y.low, y.high) : round_ticks(y.low, y.high, 6)) {
    out += fmt::format(
        "<line x1=\"{1:.2f}\" y1=\"{0:.2f}\" x2=\"{2:.2f}\" y2=\"{0:.2f}\" stroke=\"#dddddd\"/>\n",
        y.place(tick), kLeft, kRight);
    out += fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\" text-anchor=\"end\">{}</text>\n", kLeft - 8,
                       y.place(tick) + 4, tick_text(tick));
  }
  out += fmt::format(
      "<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" fill=\"none\" "
      "stroke=\"#777777\"/>\n",
      kLeft, kTop, kRight - kLeft, kBottom - kTop);
  return out;
}

std::string line_of(const ChartSeries& series, const Stroke& stroke, const Axis& x, const Axis& y) {
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
      points, stroke.colour, *stroke.dash ? fmt::format(" stroke-dasharray=\"{}\"", stroke.dash) : "");
  if (ended) {
    out += fmt::format("<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"4.5\" fill=\"{}\" stroke=\"#ffffff\"/>\n",
                       end_x, y.at_low, stroke.colour);
  }
  return out;
}

std::string legend(const LineChart& chart) {
  size_t longest = 0;
  for (const ChartSeries& series : chart.series) longest = std::max(longest, series.name.size());
  const double width = 56 + 7.0 * static_cast<double>(longest);
  const double left = kRight - width - 10, top = kTop + 10;
  std::string out = fmt::format(
      "<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" rx=\"3\" fill=\"#ffffff\" "
      "fill-opacity=\"0.92\" "
      "stroke=\"#cccccc\"/>\n",
      left, top, width, 12 + 20.0 * static_cast<double>(chart.series.size()));
  for (size_t k = 0; k < chart.series.size(); ++k) {
    const Stroke& stroke = stroke_of(k);
    const double y = top + 16 + 20.0 * static_cast<double>(k);
    out += fmt::format(
        "<line x1=\"{:.2f}\" y1=\"{:.2f}\" x2=\"{:.2f}\" y2=\"{:.2f}\" stroke=\"{}\" "
        "stroke-width=\"2.2\"{}/>\n",
        left + 10, y, left + 42, y, stroke.colour,
        *stroke.dash ? fmt::format(" stroke-dasharray=\"{}\"", stroke.dash) : "");
    out += fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\">{}</text>\n", left + 48, y + 4,
                       escaped(chart.series[k].name));
  }
  return out;
}

// The words stand up and to the right of the point, with a line to it.
std::string note_of(const ChartNote& note, const Axis& x, const Axis& y) {
  const double px = x.place(note.x), py = note.y <= 0 && y.log ? y.at_low : y.place(note.y);
  return fmt::format("<line x1=\"{:.2f}\" y1=\"{:.2f}\" x2=\"{:.2f}\" y2=\"{:.2f}\" stroke=\"#444444\"/>\n",
                     px + 5, py - 5, px + 24, py - 22) +
         fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\" font-style=\"italic\">{}</text>\n", px + 28, py - 22,
                     escaped(note.text));
}

}  // namespace

std::vector<double> round_ticks(double low, double high, int wanted) {
  const double rough = (high - low) / wanted;
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  double step = 10 * power;
  for (double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= rough * (1 - kSlack)) {
      step = factor * power;
      break;
    }
  }
  std::vector<double> ticks;
  const auto first = std::llround(std::ceil(low / step - kSlack));
  const auto last = std::llround(std::floor(high / step + kSlack));
  for (auto k = first; k <= last; ++k) ticks.push_back(static_cast<double>(k) * step);
  return ticks;
}

std::string to_svg(const LineChart& chart) {
  const Axis x = x_axis(chart), y = y_axis(chart);
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} "
      "{1:.0f}\" role=\"img\" "
      "font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\" font-size=\"13\" fill=\"#222222\">\n",
      kWidth, kHeight);
  out += fmt::format("<title>{}</title>\n", escaped(chart.title));
  out += fmt::format(
      "<defs><clipPath id=\"plot\"><rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" "
      "height=\"{:.2f}\"/></clipPath></defs>\n",
      kLeft, kTop, kRight - kLeft, kBottom - kTop);
  out += fmt::format("<rect width=\"{:.0f}\" height=\"{:.0f}\" fill=\"#ffffff\"/>\n", kWidth, kHeight);
  out += fmt::format("<text x=\"{:.2f}\" y=\"28.00\" font-size=\"16\" font-weight=\"bold\">{}</text>\n",
                     kLeft, escaped(chart.title));
  out += grid(chart, x, y);
  for (size_t k = 0; k < chart.series.size(); ++k) out += line_of(chart.series[k], stroke_of(k), x, y);
  for (const ChartNote& note : chart.notes) out += note_of(note, x, y);
  out += legend(chart);
  out += fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\" text-anchor=\"middle\">{}</text>\n",
                     (kLeft + kRight) / 2, kBottom + 44, escaped(chart.x_title));
  out += fmt::format(
      "<text x=\"22.00\" y=\"{0:.2f}\" text-anchor=\"middle\" transform=\"rotate(-90 22.00 "
      "{0:.2f})\">{1}</text>\n",
      (kTop + kBottom) / 2, escaped(chart.y_title));
  return out + "</svg>\n";
}

}  // namespace fugu
