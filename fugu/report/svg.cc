#include "fugu/report/svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "fugu/report/wording.h"

namespace fugu {
namespace {

constexpr double kSlack =
    1e-9;  // an end of an axis that is round but for the rounding of doubles has its tick
constexpr double kTitleLetter = 9.6;  // pixels of a letter of the title, about
constexpr double kRowLegendTop = 40, kRowHeight = 20;

// Okabe and Ito's colours, which stay apart for colour-blind readers, and one of Tol's.
constexpr std::array kStrokes{Stroke{"#0072b2", ""},      Stroke{"#d55e00", "9 4"},
                              Stroke{"#009e73", "3 3"},   Stroke{"#cc79a7", "11 3 3 3"},
                              Stroke{"#444444", "1.5 3"}, Stroke{"#e69f00", "6 2 2 2 2 2"},
                              Stroke{"#56b4e9", "14 4"},  Stroke{"#882255", "5 5"}};
static_assert(kStrokes.size() == kMostStrokes);

// Where the names of a legend in rows begin: x, and the row.
struct Spot {
  double x;
  size_t row;
};
std::vector<Spot> legend_spots(const Page& page, const std::vector<std::string>& names) {
  std::vector<Spot> spots;
  double x = page.left;
  size_t row = 0;
  for (const std::string& name : names) {
    const double width = 58 + 7.2 * static_cast<double>(text_width(name));
    if (x > page.left && x + width > page.width) {
      x = page.left;
      ++row;
    }
    spots.push_back({x, row});
    x += width;
  }
  return spots;
}

std::string sample_line(double left, double y, const Stroke& stroke) {
  return fmt::format(
      "<line x1=\"{:.2f}\" y1=\"{:.2f}\" x2=\"{:.2f}\" y2=\"{:.2f}\" stroke=\"{}\" "
      "stroke-width=\"2.2\"{}/>\n",
      left, y, left + 32, y, stroke.colour, dash_attribute(stroke));
}

std::string words_at(double x, double y, const std::string& text) {
  return fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\">{}</text>\n", x, y, escaped(text));
}

}  // namespace

const Stroke& stroke_of(size_t series) { return kStrokes[series % kStrokes.size()]; }

std::string dash_attribute(const Stroke& stroke) {
  return *stroke.dash ? fmt::format(" stroke-dasharray=\"{}\"", stroke.dash) : "";
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

std::string page_begin(const Page& page, const std::string& title) {
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} "
      "{1:.0f}\" role=\"img\" "
      "font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\" font-size=\"13\" fill=\"#222222\">\n",
      page.width, page.height);
  out += fmt::format("<title>{}</title>\n", escaped(title));
  out += fmt::format(
      "<defs><clipPath id=\"plot\"><rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" "
      "height=\"{:.2f}\"/></clipPath></defs>\n",
      page.left, page.top, page.right - page.left, page.bottom - page.top);
  out +=
      fmt::format("<rect width=\"{:.0f}\" height=\"{:.0f}\" fill=\"#ffffff\"/>\n", page.width, page.height);
  out += fmt::format("<text x=\"{:.2f}\" y=\"28.00\" font-size=\"16\" font-weight=\"bold\">{}</text>\n",
                     page.left,
                     escaped(shortened(title, static_cast<size_t>((page.width - page.left) / kTitleLetter))));
  return out;
}

std::string page_end(const Page& page, const std::string& x_title, const std::string& y_title) {
  std::string out = fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\" text-anchor=\"middle\">{}</text>\n",
                                (page.left + page.right) / 2, page.height - 16, escaped(x_title));
  out += fmt::format(
      "<text x=\"22.00\" y=\"{0:.2f}\" text-anchor=\"middle\" transform=\"rotate(-90 22.00 "
      "{0:.2f})\">{1}</text>\n",
      (page.top + page.bottom) / 2, escaped(y_title));
  return out + "</svg>\n";
}

std::string x_grid(const Page& page, const std::vector<Tick>& ticks, Labels labels) {
  std::string out;
  for (const Tick& tick : ticks) {
    out += fmt::format(
        "<line x1=\"{0:.2f}\" y1=\"{1:.2f}\" x2=\"{0:.2f}\" y2=\"{2:.2f}\" stroke=\"#dddddd\"/>\n", tick.at,
        page.top, page.bottom);
    if (labels == Labels::kUpright) {
      out += fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\" text-anchor=\"middle\">{}</text>\n", tick.at,
                         page.bottom + 18, escaped(tick.text));
    } else {
      out += fmt::format(
          "<text x=\"{0:.2f}\" y=\"{1:.2f}\" text-anchor=\"end\" font-size=\"12\" transform=\"rotate(-40 "
          "{0:.2f} {1:.2f})\">{2}</text>\n",
          tick.at + 4, page.bottom + 15, escaped(tick.text));
    }
  }
  return out;
}

std::string y_grid(const Page& page, const std::vector<Tick>& ticks) {
  std::string out;
  for (const Tick& tick : ticks) {
    out += fmt::format(
        "<line x1=\"{1:.2f}\" y1=\"{0:.2f}\" x2=\"{2:.2f}\" y2=\"{0:.2f}\" stroke=\"#dddddd\"/>\n", tick.at,
        page.left, page.right);
    out += fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\" text-anchor=\"end\">{}</text>\n", page.left - 8,
                       tick.at + 4, escaped(tick.text));
  }
  return out;
}

std::string plot_frame(const Page& page) {
  return fmt::format(
      "<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" fill=\"none\" "
      "stroke=\"#777777\"/>\n",
      page.left, page.top, page.right - page.left, page.bottom - page.top);
}

std::string line_legend(const Page& page, const std::vector<std::string>& names) {
  size_t longest = 0;
  for (const std::string& name : names) longest = std::max(longest, name.size());
  const double width = 56 + 7.0 * static_cast<double>(longest);
  const double left = page.right - width - 10, top = page.top + 10;
  std::string out = fmt::format(
      "<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" rx=\"3\" fill=\"#ffffff\" "
      "fill-opacity=\"0.92\" "
      "stroke=\"#cccccc\"/>\n",
      left, top, width, 12 + 20.0 * static_cast<double>(names.size()));
  for (size_t k = 0; k < names.size(); ++k) {
    const double y = top + 16 + 20.0 * static_cast<double>(k);
    out += sample_line(left + 10, y, stroke_of(k)) + words_at(left + 48, y + 4, names[k]);
  }
  return out;
}

double row_legend_end(const Page& page, const std::vector<std::string>& names) {
  const size_t rows = names.empty() ? 0 : legend_spots(page, names).back().row + 1;
  return kRowLegendTop + kRowHeight * static_cast<double>(rows) + 8;
}

std::string row_legend(const Page& page, const std::vector<std::string>& names, Mark mark) {
  const std::vector<Spot> spots = legend_spots(page, names);
  std::string out;
  for (size_t k = 0; k < names.size(); ++k) {
    const double x = spots[k].x, y = kRowLegendTop + 10 + kRowHeight * static_cast<double>(spots[k].row);
    if (mark == Mark::kLine) {
      out += sample_line(x, y, stroke_of(k)) + words_at(x + 38, y + 4, names[k]);
    } else {
      out += fmt::format("<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"14\" height=\"12\" fill=\"{}\"/>\n", x,
                         y - 6, stroke_of(k).colour);
      out += words_at(x + 20, y + 4, names[k]);
    }
  }
  return out;
}

}  // namespace fugu
