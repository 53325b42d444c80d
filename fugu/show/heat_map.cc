#include "fugu/show/heat_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace fugu::inline in_show {
namespace {

constexpr double kSide = 440;           // pixels of the plot, at most
constexpr double kLargestCell = 110;    // pixels
constexpr double kSmallestCell = 2.5;   // pixels
constexpr double kCellWithNumber = 44;  // pixels that a cell needs to hold its mass
constexpr double kFaintest = 0.1;       // a cell that has mass never looks empty
constexpr double kLegendWidth = 90;

struct MapFrame {
  Page page;
  ChartAxis x, y;
  std::vector<Tick> x_ticks, y_ticks;
  double cell;  // its side
};

// Square cells; of numbers that lie apart the whole is square.
MapFrame frame_of(const HeatMap& map, const PlotSetting& setting) {
  const ValueSpan across = span_of(map.from), upward = span_of(map.to);
  Page page = page_of(setting, 0);
  const ChartAxis sample{upward.low, upward.high, 0, kSide, false};
  const auto longest = static_cast<double>(longest_text(value_ticks(map.to, sample, setting)));
  page.left = std::max(page.left, 44 + 6.8 * longest);
  const double room = std::min(kSide, setting.width - page.left - (setting.narrow() ? 8 : kLegendWidth));
  const double span = std::max(across.high - across.low, upward.high - upward.low);
  const double scale = std::min(room / span, kLargestCell / std::min(across.gap, upward.gap));
  page.right = page.left + scale * (across.high - across.low);
  page.bottom = page.top + scale * (upward.high - upward.low);
  page.width = setting.narrow() ? setting.width : page.right + kLegendWidth;
  page.height = page.bottom + 60;
  const ChartAxis x{across.low, across.high, page.left, page.right, false};
  const ChartAxis y{upward.low, upward.high, page.bottom, page.top, false};
  const double cell = std::max(kSmallestCell, 0.94 * scale * std::min(across.gap, upward.gap));
  return {page, x, y, value_ticks(map.from, x, setting), value_ticks(map.to, y, setting), cell};
}

std::string shade_of(double share) {
  return fmt::format("{} fill-opacity=\"{:.3f}\"", fill(kHeat),
                     kFaintest + (1 - kFaintest) * std::sqrt(share));
}

// The cells, with their masses where there is room.
std::string cells_of(const HeatMap& map, const MapFrame& frame, double most) {
  std::string out, over;
  for (const HeatCell& cell : map.cells) {
    const double x = frame.x.place(map.from.at[cell.from]), y = frame.y.place(map.to.at[cell.to]);
    const double left = x - frame.cell / 2, top = y - frame.cell / 2;
    out += box_at(left, top, frame.cell, frame.cell, shade_of(cell.mass / most), cell.hint);
    if (cell.framed) over += box_at(left, top, frame.cell, frame.cell, stroke(kLimit, 2));
    if (frame.cell < kCellWithNumber) continue;
    over += words_at(x, y + 4, fmt::format("{:.2g}", cell.mass),
                     " text-anchor=\"middle\" font-size=\"11\" pointer-events=\"none\"" +
                         fill(cell.mass > 0.3 * most ? kOnHeat : kInk));
  }
  return out + over;
}

// What the shades mean, at the right of the plot.
std::string shade_legend(const Page& page, const std::string& title, double most) {
  constexpr int kSteps = 32;
  const double left = page.right + 16, width = 14;
  const double height = std::min(160.0, page.bottom - page.top - 24), step = height / kSteps;
  const double top = page.top + 22;
  std::string out = words_at(left, page.top + 12, title);
  for (int k = 0; k < kSteps; ++k)
    out += box_at(left, top + step * k, width, step, shade_of((kSteps - 1.0 - k) / (kSteps - 1)));
  for (const Tick& tick : ticks_at(round_ticks(0, most, 4), {0, most, top + height, top, false})) {
    out += line_from(left + width, tick.at, left + width + 4, tick.at, stroke(kFrame));
    out += words_at(left + width + 8, tick.at + 4, tick.text, " font-size=\"12\"");
  }
  return out;
}

}  // namespace

std::string to_svg(const HeatMap& map, const PlotName& name, const PlotSetting& setting) {
  MapFrame frame = frame_of(map, setting);
  Page& page = frame.page;
  const Labels labels = labels_below(page, frame.x_ticks);
  const double most = std::ranges::max_element(map.cells, {}, &HeatCell::mass)->mass;
  std::string out = page_begin(page, name, setting);
  out += x_grid(page, frame.x_ticks, labels) + y_grid(page, frame.y_ticks);
  out += cells_of(map, frame, most) + plot_frame(page);
  if (map.from.at == map.to.at && map.from.names == map.to.names)
    out += line_from(page.left, page.bottom, page.right, page.top, stroke(kFrame, 1, "4 4"));
  if (!setting.narrow()) out += shade_legend(page, map.legend, most);
  return out + page_end(page, map.from.title, map.to.title);
}

}  // namespace fugu::inline in_show
