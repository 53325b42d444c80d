// What the pictures share: a page with a plot on it, axes, ticks, colours, legends. SVG in one file, without
// references to others, the same bytes for the same numbers.
#pragma once

#include <string>
#include <vector>

namespace fugu {

// A page and the plot's place on it, in pixels.
struct Page {
  double width = 760, height = 460;
  double left = 76, right = 740, top = 48, bottom = 400;
};

// How one series differs from the others: by colour and by dash, so that neither print nor colour blindness
// hides which is which.
struct Stroke {
  const char* colour;
  const char* dash;
};
inline constexpr size_t kMostStrokes = 8;  // from there on they repeat
const Stroke& stroke_of(size_t series);
// The attribute of a line, blank before it; nothing for a solid one.
std::string dash_attribute(const Stroke& stroke);

// Values along one side of the plot.
struct ChartAxis {
  double low = 0, high = 1;
  double at_low = 0, at_high = 1;  // places on the page
  bool log = false;

  double place(double value) const;
};

struct Tick {
  double at = 0;  // place on the page
  std::string text;
};

// Round numbers (1, 2 or 5 times a power of ten apart) within [low, high], about `wanted` of them.
// Precondition: low < high.
std::vector<double> round_ticks(double low, double high, int wanted);
// Powers of ten within [low, high].
std::vector<double> log_ticks(double low, double high);
std::string tick_text(double value);
std::vector<Tick> ticks_at(const std::vector<double>& values, const ChartAxis& axis);

// Text as XML holds it, without control characters.
std::string escaped(const std::string& text);
// At most `most` characters, the last of them an ellipsis where some are left out.
std::string shortened(const std::string& text, size_t most);

// The page with its title, up to the plot; the titles of the axes, and the end.
std::string page_begin(const Page& page, const std::string& title);
std::string page_end(const Page& page, const std::string& x_title, const std::string& y_title);

// Lines across the plot with their texts below, upright or slanted, and at its left.
enum class Labels { kUpright, kSlanted };
std::string x_grid(const Page& page, const std::vector<Tick>& ticks, Labels labels = Labels::kUpright);
std::string y_grid(const Page& page, const std::vector<Tick>& ticks);
std::string plot_frame(const Page& page);

// The names of the series, in a box at the upper right of the plot.
std::string line_legend(const Page& page, const std::vector<std::string>& names);

// The names in rows above the plot: beside a line of their stroke, or a patch of their colour.
enum class Mark { kLine, kPatch };
// Where the plot may begin below them.
double row_legend_end(const Page& page, const std::vector<std::string>& names);
std::string row_legend(const Page& page, const std::vector<std::string>& names, Mark mark);

}  // namespace fugu
