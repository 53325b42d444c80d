// The values of a column along a side of a plot: numbers where they lie, names one after the other.
#pragma once

#include <string>
#include <vector>

#include "fugu/show/svg.h"

namespace fugu::inline in_show {

struct ValueAxis {
  std::string title;
  std::vector<double> at;               // increasing, not empty; of names 0, 1, …
  std::vector<std::string> names = {};  // none for numbers
};

ValueAxis named_values(const std::string& title, const std::vector<std::string>& names);

// From half a gap before the first to half a gap behind the last.
struct ValueSpan {
  double low = 0, high = 1;
  double gap = 1;  // the least distance of two values
};
ValueSpan span_of(const ValueAxis& values);

// The names, as many as fit; of few numbers each; else round ones.
std::vector<Tick> value_ticks(const ValueAxis& values, const ChartAxis& axis, const PlotSetting& setting);

// The longest text of the ticks, in characters.
size_t longest_text(const std::vector<Tick>& ticks);

// Slanted where they are long, and the page longer by what they need.
Labels labels_below(Page& page, const std::vector<Tick>& ticks);

}  // namespace fugu::inline in_show
