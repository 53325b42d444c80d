// How much goes from each value to each other: a cell for each, stronger where it is more.
#pragma once

#include <string>
#include <vector>

#include "fugu/show/value_axis.h"

namespace fugu::inline in_show {

struct HeatCell {
  size_t from, to;  // places in the values
  double mass;      // above 0
  bool framed = false;
  std::string hint = {};
};

struct HeatMap {
  ValueAxis from;  // across
  ValueAxis to;    // upward
  std::vector<HeatCell> cells;
  std::string legend;  // what the strength of a cell means
};

// Where both sides have the same values, with the diagonal on which nothing moves. Precondition: a cell.
std::string to_svg(const HeatMap& map, const PlotName& name, const PlotSetting& setting = {});

}  // namespace fugu::inline in_show
