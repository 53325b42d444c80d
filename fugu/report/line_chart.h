// Line charts as SVG.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fugu {

struct ChartSeries {
  std::string name;
  std::vector<std::pair<double, double>> points;  // x increasing
};

// Words with an arrow's head at a point of the chart.
struct ChartNote {
  double x = 0;
  double y = 0;
  std::string text;
};

struct LineChart {
  std::string title;
  std::string x_title;
  std::string y_title;
  bool log_y = false;  // a point at or below 0 ends its line at the foot of the chart
  std::optional<std::pair<double, double>> x_range = {};  // from the points when not given
  std::optional<std::pair<double, double>> y_range = {};  // lines are cut at it
  std::vector<ChartSeries> series = {};
  std::vector<ChartNote> notes = {};
};

// Precondition: at least one point, all finite; with log_y at least one positive and y_range, if given,
// positive.
std::string to_svg(const LineChart& chart);

}  // namespace fugu
