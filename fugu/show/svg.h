// What all plots share: a page with a plot on it, axes, ticks, paints, legends. SVG in one file, without
// references or styles, the same bytes for the same numbers.
//
// Every paint has a colour that stands in the file, so that a plot by itself shows it in any program, and a
// name as its class, so that a page may give it another (page/src/theme.css has light and dark).
#pragma once

#include <string>
#include <vector>

namespace fugu::inline in_show {

// How wide a plot is drawn, and whether its title stands above it or is written by what shows it.
struct PlotSetting {
  double width = 760;
  bool titled = true;

  bool narrow() const { return width < 480; }
};

// What a plot is called, and what it shows in a sentence or two: for whoever cannot see it.
struct PlotName {
  std::string title;
  std::string text = {};
};

struct Paint {
  const char* name;
  const char* colour;
};
inline constexpr Paint kInk{"ink", "#222222"}, kGrid{"grid", "#dddddd"}, kFrame{"frame", "#777777"},
    kPaper{"paper", "#ffffff"}, kPale{"pale", "#b3bcc8"}, kMuted{"muted", "#566273"}, kBar{"bar", "#9fc0e6"},
    kHeat{"heat", "#08306b"}, kOnHeat{"on-heat", "#ffffff"}, kLimit{"limit", "#c2410c"};

// How one series differs from the others: by more than its colour, so that neither print nor colour
// blindness hides which is which.
struct Look {
  Paint paint;
  const char* dash = "";    // of a line; empty for a solid one, null for none
  const char* symbol = "";  // a path from its middle; empty for none
  double width = 2;         // of a line; 0 for a patch of colour
};
inline constexpr size_t kMostPaints = 8;  // from there on they come again, with other dashes and symbols
Look look_of(size_t series);
inline constexpr const char* kStar =
    "m0,-7l1.8,4.6h4.9l-3.9,3.1l1.4,5l-4.2,-2.9l-4.2,2.9l1.4,-5l-3.9,-3.1h4.9z";
inline constexpr const char* kRing = "m-8,0a8,8 0 1,0 16,0a8,8 0 1,0 -16,0z";

// Attributes, a blank before each.
std::string fill(const Paint& paint);
std::string stroke(const Paint& paint, double width = 1, const char* dash = "");

// Elements. A hint is what a browser shows when the pointer rests on it.
std::string line_from(double x1, double y1, double x2, double y2, const std::string& attributes);
std::string box_at(double x, double y, double width, double height, const std::string& attributes,
                   const std::string& hint = "");
std::string symbol_at(double x, double y, const char* symbol, const std::string& attributes,
                      const std::string& hint = "");
std::string words_at(double x, double y, const std::string& text, const std::string& attributes = "");

// A page and the plot's place on it, in pixels.
struct Page {
  double width, height;
  double left, right, top, bottom;
};
// A plot of that height, below its title.
Page page_of(const PlotSetting& setting, double plot_height);

// Values along one side of the plot.
struct ChartAxis {
  double low = 0, high = 1;
  double at_low = 0, at_high = 1;  // places on the page
  bool log = false;

  double place(double value) const;
  bool holds(double value) const { return value >= low && value <= high; }
};

struct Tick {
  double at = 0;  // place on the page
  std::string text;
};

// Round numbers (1, 2 or 5 times a power of ten apart) within [low, high], about `wanted` of them.
// Precondition: low < high.
std::vector<double> round_ticks(double low, double high, int wanted);
// Powers of ten within [low, high]; with their doubles and fivefolds where these are few.
std::vector<double> log_ticks(double low, double high);
std::string tick_text(double value);
std::vector<Tick> ticks_at(const std::vector<double>& values, const ChartAxis& axis);

// Text as XML holds it, without control characters.
std::string escaped(const std::string& text);
// At most `most` characters, the last of them an ellipsis where some are left out.
std::string shortened(const std::string& text, size_t most);

// The page up to the plot; the titles of the axes, and the end.
std::string page_begin(const Page& page, const PlotName& name, const PlotSetting& setting);
std::string page_end(const Page& page, const std::string& x_title, const std::string& y_title);

// Lines across the plot with their texts below, upright or slanted, and at its left.
enum class Labels { kUpright, kSlanted };
std::string x_grid(const Page& page, const std::vector<Tick>& ticks, Labels labels = Labels::kUpright);
std::string y_grid(const Page& page, const std::vector<Tick>& ticks);
std::string plot_frame(const Page& page);

// What each look means, in rows above the plot.
struct LegendEntry {
  std::string name;
  Look look;
};
// Moves the plot below its legend.
void make_room(Page& page, const std::vector<LegendEntry>& entries);
// Precondition: there is room.
std::string legend_of(const Page& page, const std::vector<LegendEntry>& entries);

}  // namespace fugu::inline in_show
