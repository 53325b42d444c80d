// Heights over the values of a column: bars where there is room for them, else lines.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fugu/show/value_axis.h"

namespace fugu::inline in_show {

struct ValueSeries {
  std::string name;  // for the legend; empty for none
  std::vector<double> heights;
  Look look;
  bool pale = false;  // stands back behind the others
};

struct ValueChart {
  ValueAxis values;
  std::string y_title;
  std::vector<ValueSeries> series;
  std::vector<std::string> hints;  // of each value
  // A height that none may pass, and its name.
  std::optional<std::pair<double, std::string>> limit = {};
  // The value that a star marks, and what it is.
  std::optional<std::pair<size_t, std::string>> star = {};
  bool percents = false;  // how heights are written
};

std::string to_svg(const ValueChart& chart, const PlotName& name, const PlotSetting& setting = {});

}  // namespace fugu::inline in_show
