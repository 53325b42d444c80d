#include "fugu/report/transport_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "fugu/core/json_read.h"
#include "fugu/report/value_axis.h"
#include "fugu/report/wording.h"
#include "fugu/transport/coupling.h"

namespace fugu {
namespace {

constexpr size_t kMostCells = 10000;
constexpr double kSide = 440;           // pixels of the plot
constexpr double kSmallestCell = 2.5;   // pixels
constexpr double kCellWithNumber = 44;  // pixels that a cell needs to hold its mass
constexpr double kNameApart = 15;       // pixels between names
constexpr size_t kLongestName = 6;      // characters of a label that is not slanted
constexpr std::array<double, 3> kPale{205, 225, 242}, kDark{8, 48, 107};

SecretPair the_pair(const Scenario& scenario) {
  if (scenario.pair_count() != 1) {
    throw Error(ErrorKind::kUsage,
                fmt::format("a plan is between two secrets, and there are {} pairs", scenario.pair_count()),
                "name one with --pairs, for example --pairs A:B");
  }
  return scenario.pairs.list(scenario.secrets.size()).front();
}

std::string title_of(const Scenario& scenario, size_t prior, int64_t farthest) {
  const bool named = scenario.source && !scenario.source->published.empty();
  return fmt::format("Transport plan{}: mass moves by {} at most{}",
                     named ? " of " + value_words(scenario) : "",
                     short_text(Rational(scenario.lattice.step * farthest)), prior_words(scenario, prior));
}

std::string side_words(const Scenario& scenario, size_t secret) {
  return value_words(scenario) + ", " + secret_words(scenario, secret);
}

// From pale for nothing to dark for all.
std::string shade(double share) {
  auto part = [&](size_t k) {
    return static_cast<int>(std::lround(kPale[k] + share * (kDark[k] - kPale[k])));
  };
  return fmt::format("#{:02x}{:02x}{:02x}", part(0), part(1), part(2));
}

// The cells, the diagonal over them, and the masses where there is room.
std::string cells_of(const Coupling& plan, const Distribution& from, const Distribution& to, double size,
                     double most, const ChartAxis& x, const ChartAxis& y) {
  std::string out, numbers;
  const auto masses = plan.approximate_masses();
  for (size_t k = 0; k < masses.size(); ++k) {
    const double at_x = x.place(static_cast<double>(from.atoms()[plan.cells[k].from]));
    const double at_y = y.place(static_cast<double>(to.atoms()[plan.cells[k].to]));
    out +=
        fmt::format("<rect x=\"{0:.2f}\" y=\"{1:.2f}\" width=\"{3:.2f}\" height=\"{3:.2f}\" fill=\"{2}\"/>\n",
                    at_x - size / 2, at_y - size / 2, shade(masses[k] / most), size);
    if (size >= kCellWithNumber) {
      numbers += fmt::format(
          "<text x=\"{:.2f}\" y=\"{:.2f}\" text-anchor=\"middle\" font-size=\"11\" "
          "fill=\"{}\">{:.2g}</text>\n",
          at_x, at_y + 4, masses[k] > 0.4 * most ? "#ffffff" : "#222222", masses[k]);
    }
  }
  out += fmt::format(
      "<line x1=\"{:.2f}\" y1=\"{:.2f}\" x2=\"{:.2f}\" y2=\"{:.2f}\" stroke=\"#d55e00\" "
      "stroke-dasharray=\"4 4\"/>\n",
      x.at_low, y.at_low, x.at_high, y.at_high);
  return out + numbers;
}

// What the shades mean, at the right of the plot.
std::string shade_legend(const Page& page, double most) {
  constexpr int kSteps = 32;
  const double left = page.right + 18, height = 160, width = 14, step = height / kSteps;
  std::string out = fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\">mass</text>\n", left, page.top + 12);
  const double top = page.top + 22;
  for (int k = 0; k < kSteps; ++k) {
    out += fmt::format("<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" fill=\"{}\"/>\n",
                       left, top + step * k, width, step + 0.5, shade((kSteps - 1.0 - k) / (kSteps - 1)));
  }
  const ChartAxis axis{0, most, top + height, top, false};
  for (const Tick& tick : ticks_at(round_ticks(0, most, 4), axis)) {
    out += fmt::format(
        "<line x1=\"{0:.2f}\" y1=\"{1:.2f}\" x2=\"{2:.2f}\" y2=\"{1:.2f}\" stroke=\"#777777\"/>\n",
        left + width, tick.at, left + width + 4);
    out += fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\" font-size=\"12\">{}</text>\n", left + width + 8,
                       tick.at + 4, tick.text);
  }
  return out;
}

}  // namespace

std::string transport_svg(const Scenario& scenario, size_t prior) {
  const auto [a, b] = the_pair(scenario);
  const Distribution &from = scenario.priors[prior].given[a], &to = scenario.priors[prior].given[b];
  const Coupling plan = monotone_coupling(from, to);
  if (plan.cells.size() > kMostCells) {
    throw Error(ErrorKind::kUsage,
                fmt::format("a picture of {} cells is too fine to be seen: at most {}", plan.cells.size(),
                            kMostCells),
                "give a coarser --step, or --format json for the numbers");
  }
  const auto values = union_support(std::array{from, to});
  const ValueSpan span = span_of(values);
  const ChartAxis across{span.low, span.high, 0, kSide, false};
  const auto sample = value_ticks(scenario, values, across, kNameApart);
  const size_t longest = longest_text(sample);
  const bool slanted = longest > kLongestName;

  Page page;
  page.left = std::max(76.0, 50 + 7 * static_cast<double>(longest));
  page.right = page.left + kSide;
  page.bottom = page.top + kSide;
  page.width = page.right + 110;
  page.height = page.bottom + (slanted ? 56 + 4.6 * static_cast<double>(longest) : 60);
  const ChartAxis x{span.low, span.high, page.left, page.right, false};
  const ChartAxis y{span.low, span.high, page.bottom, page.top, false};

  std::string out = page_begin(page, title_of(scenario, prior, w_inf(from, to)));
  out += x_grid(page, value_ticks(scenario, values, x, kNameApart),
                slanted ? Labels::kSlanted : Labels::kUpright);
  out += y_grid(page, value_ticks(scenario, values, y, kNameApart));
  const auto masses = plan.approximate_masses();
  const double most = *std::max_element(masses.begin(), masses.end());
  const double gap = 0.94 * span.gap * (x.place(1) - x.place(0));
  out += cells_of(plan, from, to, std::max(kSmallestCell, gap), most, x, y);
  out += plot_frame(page) + shade_legend(page, most);
  return out + page_end(page, side_words(scenario, a), side_words(scenario, b));
}

Json transport_to_json(const Scenario& scenario, size_t prior) {
  const auto [a, b] = the_pair(scenario);
  const Distribution &from = scenario.priors[prior].given[a], &to = scenario.priors[prior].given[b];
  const Coupling plan = monotone_coupling(from, to);
  Json cells = Json::array();
  for (size_t k = 0; k < plan.cells.size(); ++k) {
    cells.if_array()->push_back(
        Json::array({number_to_json(scenario.lattice.value(from.atoms()[plan.cells[k].from])),
                     number_to_json(scenario.lattice.value(to.atoms()[plan.cells[k].to])),
                     Json::number(seventeen_digits(plan.mass(k)))}));
  }
  Json json = Json::object();
  json.add("figure", Json::string("plan"));
  json.add("prior", Json::string(scenario.priors[prior].name));
  json.add("pair", Json::strings({scenario.secrets[a], scenario.secrets[b]}));
  json.add("w_inf", number_to_json(Rational(scenario.lattice.step * w_inf(from, to))));
  json.add("cells", std::move(cells));
  return json;
}

}  // namespace fugu
