#include "fugu/show/svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "fugu/show/wording.h"

namespace fugu::inline in_show {

namespace {

constexpr double kSlack =
    1e-9;  // an end of an axis that is round but for the rounding of doubles has its tick
constexpr double kTitleLetter = 9.6, kLetter = 7.2;  // pixels of a letter, about
constexpr double kTitleHeight = 40, kRowHeight = 20;

// Okabe and Ito's colours, which stay apart for colour-blind readers, and one of Tol's.
constexpr std::array kPaints{Paint{"series-1", "#0072b2"}, Paint{"series-2", "#d55e00"},
                             Paint{"series-3", "#009e73"}, Paint{"series-4", "#cc79a7"},
                             Paint{"series-5", "#444444"}, Paint{"series-6", "#e69f00"},
                             Paint{"series-7", "#56b4e9"}, Paint{"series-8", "#882255"}};
static_assert(kPaints.size() == kMostPaints);
constexpr std::array kDashes{"", "9 4", "3 3", "11 3 3 3", "1.5 3", "6 2 2 2 2 2", "14 4", "5 5"};
constexpr std::array kSymbols{"m-4,0a4,4 0 1,0 8,0a4,4 0 1,0 -8,0z",
                              "m0,-5l4.8,8.4h-9.6z",
                              "m-4,-4h8v8h-8z",
                              "m0,-5.6l4.6,5.6l-4.6,5.6l-4.6,-5.6z",
                              "m-1.6,-5h3.2v3.4h3.4v3.2h-3.4v3.4h-3.2v-3.4h-3.4v-3.2h3.4z",
                              "m0,5l4.8,-8.4h-9.6z",
                              "m-4.6,-4.6l4.6,3l4.6,-3l-3,4.6l3,4.6l-4.6,-3l-4.6,3l3,-4.6z"};

std::string closed(const std::string& tag, const std::string& hint, const char* name) {
  return tag + (hint.empty() ? "/>\n" : fmt::format("><title>{}</title></{}>\n", escaped(hint), name));
}

// Where the names of a legend begin: x, and the row.
struct LegendSpot {
  double x;
  size_t row;
};
constexpr double kLegendSign = 38;

std::string legend_name(const Page& page, const std::string& name) {
  const double room = (page.width - page.left - kLegendSign) / kLetter;
  return shortened(name, std::max<size_t>(8, static_cast<size_t>(room)));
}

std::vector<LegendSpot> legend_spots(const Page& page, const std::vector<LegendEntry>& entries) {
  std::vector<LegendSpot> spots;
  double x = page.left;
  size_t row = 0;
  for (const LegendEntry& entry : entries) {
    const double width =
        kLegendSign + 20 + kLetter * static_cast<double>(text_width(legend_name(page, entry.name)));
    if (x > page.left && x + width - 20 > page.width) {
      x = page.left;
      ++row;
    }
    spots.push_back({x, row});
    x += width;
  }
  return spots;
}

double legend_height(const Page& page, const std::vector<LegendEntry>& entries) {
  if (entries.empty()) return 0;
  return kRowHeight * static_cast<double>(legend_spots(page, entries).back().row + 1) + 8;
}

std::string sign_of(const Look& look, double x, double y) {
  if (look.width == 0) return box_at(x + 9, y - 6, 14, 12, fill(look.paint));
  std::string out;
  if (look.dash) out += line_from(x, y, x + 32, y, stroke(look.paint, look.width, look.dash));
  if (look.symbol == kRing) return symbol_at(x + 16, y, kRing, stroke(look.paint, look.width));
  return *look.symbol ? out + symbol_at(x + 16, y, look.symbol, fill(look.paint)) : out;
}

}  // namespace

Look look_of(size_t series) {
  const size_t turn = series + 3 * (series / kMostPaints);
  return {kPaints[series % kMostPaints], kDashes[turn % kDashes.size()], kSymbols[turn % kSymbols.size()]};
}

std::string fill(const Paint& paint) {
  return fmt::format(" class=\"{} fill\" fill=\"{}\"", paint.name, paint.colour);
}

std::string stroke(const Paint& paint, double width, const char* dash) {
  return fmt::format(" class=\"{} stroke\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"{}", paint.name,
                     paint.colour, width, *dash ? fmt::format(" stroke-dasharray=\"{}\"", dash) : "");
}

std::string line_from(double x1, double y1, double x2, double y2, const std::string& attributes) {
  return fmt::format("<line x1=\"{:.2f}\" y1=\"{:.2f}\" x2=\"{:.2f}\" y2=\"{:.2f}\"{}/>\n", x1, y1, x2, y2,
                     attributes);
}

std::string box_at(double x, double y, double width, double height, const std::string& attributes,
                   const std::string& hint) {
  return closed(fmt::format("<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\"{}", x, y,
                            width, height, attributes),
                hint, "rect");
}

std::string symbol_at(double x, double y, const char* symbol, const std::string& attributes,
                      const std::string& hint) {
  return closed(fmt::format("<path d=\"M{:.2f},{:.2f}{}\"{}", x, y, symbol, attributes), hint, "path");
}

std::string words_at(double x, double y, const std::string& text, const std::string& attributes) {
  return fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\"{}>{}</text>\n", x, y, attributes, escaped(text));
}

Page page_of(const PlotSetting& setting, double plot_height) {
  const double top = setting.titled ? kTitleHeight : 10;
  return {setting.width,
          top + plot_height + 60,
          setting.narrow() ? 62.0 : 76.0,
          setting.width - (setting.narrow() ? 8 : 20),
          top,
          top + plot_height};
}

double ChartAxis::place(double value) const {
  const double share = log ? std::log(value / low) / std::log(high / low) : (value - low) / (high - low);
  return at_low + share * (at_high - at_low);
}

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

std::vector<double> log_ticks(double low, double high) {
  std::vector<double> powers, all;
  const auto first = std::lround(std::floor(std::log10(low))), last = std::lround(std::log10(high));
  for (auto k = first; k <= last; ++k) {
    for (double factor : {1.0, 2.0, 5.0}) {
      const double value = factor * std::pow(10.0, k);
      if (value < low * (1 - kSlack) || value > high * (1 + kSlack)) continue;
      all.push_back(value);
      if (factor == 1) powers.push_back(value);
    }
  }
  return powers.size() > 3 ? powers : all;
}

std::string tick_text(double value) {
  if (std::abs(value) < 1e-12) return "0";
  return fmt::format("{:.6g}", value);
}

std::vector<Tick> ticks_at(const std::vector<double>& values, const ChartAxis& axis) {
  std::vector<Tick> ticks;
  for (double value : values) ticks.push_back({axis.place(value), tick_text(value)});
  return ticks;
}

std::string escaped(const std::string& text) {
  std::string out;
  for (char c : printable(text)) {
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
  // XML has no place for these two, not even as numbers.
  for (const char* none : {"\xEF\xBF\xBE", "\xEF\xBF\xBF"}) {
    for (size_t at = out.find(none); at != std::string::npos; at = out.find(none)) out.replace(at, 3, "?");
  }
  return out;
}

std::string shortened(const std::string& text, size_t most) {
  if (text_width(text) <= most) return text;
  size_t end = 0, characters = 0;
  while (end < text.size()) {
    const bool begins = (static_cast<unsigned char>(text[end]) & 0xc0) != 0x80;
    if (begins && ++characters == most) break;
    ++end;
  }
  return text.substr(0, end) + "…";
}

std::string page_begin(const Page& page, const PlotName& name, const PlotSetting& setting) {
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} "
      "{1:.0f}\" role=\"img\" font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\" "
      "font-size=\"13\"{2}",
      page.width, page.height, fill(kInk));
  // Within a page a title would be a hint that hides those of the marks.
  if (!setting.titled)
    return out + fmt::format(" aria-label=\"{}. {}\">\n", escaped(name.title), escaped(name.text));
  out += fmt::format(">\n<title>{}</title>\n<desc>{}</desc>\n", escaped(name.title), escaped(name.text));
  out += box_at(0, 0, page.width, page.height, fill(kPaper));
  const auto room = static_cast<size_t>((page.width - page.left) / kTitleLetter);
  return out + words_at(page.left, 26, shortened(name.title, room), " font-size=\"16\" font-weight=\"bold\"");
}

std::string page_end(const Page& page, const std::string& x_title, const std::string& y_title) {
  auto fitting = [](const std::string& text, double middle, double size) {
    const double room = 2 * std::min(middle, size - middle);
    return shortened(text, std::max<size_t>(8, static_cast<size_t>(room / kLetter)));
  };
  const double x = (page.left + page.right) / 2, y = (page.top + page.bottom) / 2;
  return words_at(x, page.height - 14, fitting(x_title, x, page.width), " text-anchor=\"middle\"") +
         words_at(16, y, fitting(y_title, y, page.height),
                  fmt::format(" text-anchor=\"middle\" transform=\"rotate(-90 16.00 {:.2f})\"", y)) +
         "</svg>\n";
}

std::string x_grid(const Page& page, const std::vector<Tick>& ticks, Labels labels) {
  std::string out;
  for (const Tick& tick : ticks) {
    out += line_from(tick.at, page.top, tick.at, page.bottom, stroke(kGrid));
    const double x = tick.at + 4, y = page.bottom + 15;
    out += labels == Labels::kUpright
               ? words_at(tick.at, page.bottom + 18, tick.text, " text-anchor=\"middle\"")
               : words_at(x, y, tick.text,
                          fmt::format(
                              " text-anchor=\"end\" font-size=\"12\" transform=\"rotate(-40 {:.2f} {:.2f})\"",
                              x, y));
  }
  return out;
}

std::string y_grid(const Page& page, const std::vector<Tick>& ticks) {
  std::string out;
  for (const Tick& tick : ticks) {
    out += line_from(page.left, tick.at, page.right, tick.at, stroke(kGrid));
    out += words_at(page.left - 8, tick.at + 4, tick.text, " text-anchor=\"end\"");
  }
  return out;
}

std::string plot_frame(const Page& page) {
  return box_at(page.left, page.top, page.right - page.left, page.bottom - page.top, stroke(kFrame));
}

void make_room(Page& page, const std::vector<LegendEntry>& entries) {
  const double more = legend_height(page, entries);
  page.top += more;
  page.bottom += more;
  page.height += more;
}

std::string legend_of(const Page& page, const std::vector<LegendEntry>& entries) {
  const std::vector<LegendSpot> spots = legend_spots(page, entries);
  const double top = page.top - legend_height(page, entries);
  std::string out;
  for (size_t k = 0; k < entries.size(); ++k) {
    const double x = spots[k].x, y = top + 10 + kRowHeight * static_cast<double>(spots[k].row);
    out +=
        sign_of(entries[k].look, x, y) + words_at(x + kLegendSign, y + 4, legend_name(page, entries[k].name));
  }
  return out;
}

}  // namespace fugu::inline in_show
