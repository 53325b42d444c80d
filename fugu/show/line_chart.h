// Line charts.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fugu/show/svg.h"

namespace fugu::inline in_show {

struct ChartSeries {
  std::string name;
  std::vector<std::pair<double, double>> points;  // x increasing
  Look look = {};
  std::vector<std::string> hints = {};  // of each point, which then has its symbol
};

// Words with a line to a point of the chart.
struct ChartNote {
  double x = 0;
  double y = 0;
  std::string text;
};

struct LineChart {
  std::string x_title;
  std::string y_title;
  bool log_x = false;
  bool log_y = false;  // a point at or below 0 ends its line at the foot of the chart
  // From the points when not given; those beyond it are left out.
  std::optional<std::pair<double, double>> x_range = {};
  std::vector<ChartSeries> series = {};
  std::vector<ChartNote> notes = {};
  // A line upward, a ring around a point, and what they are.
  std::optional<std::pair<double, std::string>> upright = {};
  std::optional<ChartNote> ring = {};
};

// Precondition: at least one point, all finite; with log_y at least one positive.
std::string to_svg(const LineChart& chart, const PlotName& name, const PlotSetting& setting = {});

}  // namespace fugu::inline in_show
