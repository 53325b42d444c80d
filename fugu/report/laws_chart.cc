#include "fugu/report/laws_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fugu/core/json_read.h"
#include "fugu/report/value_axis.h"
#include "fugu/report/wording.h"

namespace fugu {
namespace {

constexpr size_t kMostValues = 5000;
constexpr double kThinnestBar = 2.5;   // pixels; below that lines are drawn
constexpr double kPartOfGap = 0.82;    // that the bars of one value fill
constexpr double kLabelApart = 15;     // pixels between slanted names
constexpr size_t kLongestUpright = 7;  // characters of a label that is not slanted

std::vector<Distribution> laws_of(const Scenario& scenario, size_t prior,
                                  const std::vector<uint32_t>& secrets) {
  std::vector<Distribution> laws;
  laws.reserve(secrets.size());
  for (uint32_t s : secrets) laws.push_back(scenario.priors[prior].given[s]);
  return laws;
}

void check_size(size_t secrets, size_t values) {
  if (secrets > kMostStrokes) {
    throw Error(
        ErrorKind::kUsage,
        fmt::format("a picture of {} secrets cannot be told apart: at most {}", secrets, kMostStrokes),
        "name some of them with --pairs, for example --pairs A:B,A:C");
  }
  if (values > kMostValues) {
    throw Error(ErrorKind::kUsage,
                fmt::format("a picture of {} values is too fine to be seen: at most {}", values, kMostValues),
                "give a coarser --step, or --format json for the numbers");
  }
}

std::string bars(const Distribution& law, size_t place, double width, double offset, const ChartAxis& x,
                 const ChartAxis& y) {
  std::string out;
  const auto masses = law.approximate_masses();
  for (size_t k = 0; k < masses.size(); ++k) {
    const double top = y.place(masses[k]);
    out += fmt::format("<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" fill=\"{}\"/>\n",
                       x.place(static_cast<double>(law.atoms()[k])) + offset, top, width, y.at_low - top,
                       stroke_of(place).colour);
  }
  return out;
}

// Through every value that some secret has: at those that this one lacks the line is at 0.
std::string line(const Distribution& law, const std::vector<int64_t>& values, size_t place,
                 const ChartAxis& x, const ChartAxis& y) {
  const auto masses = law.approximate_masses();
  std::string points;
  size_t k = 0;
  for (int64_t value : values) {
    const bool has = k < law.size() && law.atoms()[k] == value;
    points += fmt::format("{}{:.2f},{:.2f}", points.empty() ? "" : " ", x.place(static_cast<double>(value)),
                          y.place(has ? masses[k++] : 0));
  }
  return fmt::format(
      "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.6\" "
      "stroke-linejoin=\"round\"{}/>\n",
      points, stroke_of(place).colour, dash_attribute(stroke_of(place)));
}

std::string title_of(const Scenario& scenario, size_t prior) {
  const bool named = scenario.source && !scenario.source->published.empty();
  return "Probabilities of " + (named ? value_words(scenario) : "each value") + prior_words(scenario, prior);
}

double largest_mass(const std::vector<Distribution>& laws) {
  double largest = 0;
  for (const Distribution& law : laws) {
    for (double mass : law.approximate_masses()) largest = std::max(largest, mass);
  }
  return largest;
}

}  // namespace

std::string laws_svg(const Scenario& scenario, size_t prior) {
  const auto secrets = paired_secrets(scenario);
  const auto laws = laws_of(scenario, prior, secrets);
  const auto values = union_support(laws);
  check_size(secrets.size(), values.size());
  std::vector<std::string> names;
  for (uint32_t s : secrets) names.push_back(secret_words(scenario, s));

  Page page;
  page.top = row_legend_end(page, names);
  const ValueSpan span = span_of(values);
  const ChartAxis x{span.low, span.high, page.left, page.right, false};
  const auto ticks = value_ticks(scenario, values, x, kLabelApart);
  const size_t longest = longest_text(ticks);
  const bool slanted = longest > kLongestUpright;
  const double plot_height = 320;
  page.bottom = page.top + plot_height;
  page.height = page.bottom + (slanted ? 56 + 4.6 * static_cast<double>(longest) : 60);
  const ChartAxis y{0, 1.05 * largest_mass(laws), page.bottom, page.top, false};

  std::string out = page_begin(page, title_of(scenario, prior));
  out += x_grid(page, ticks, slanted ? Labels::kSlanted : Labels::kUpright);
  out += y_grid(page, ticks_at(round_ticks(y.low, y.high, 6), y));
  const double room = kPartOfGap * (x.place(span.gap) - x.place(0));
  const double width = room / static_cast<double>(laws.size());
  const bool with_bars = width >= kThinnestBar;
  for (size_t k = 0; k < laws.size(); ++k) {
    out += with_bars ? bars(laws[k], k, width, width * static_cast<double>(k) - room / 2, x, y)
                     : line(laws[k], values, k, x, y);
  }
  out += plot_frame(page) + row_legend(page, names, with_bars ? Mark::kPatch : Mark::kLine);
  return out + page_end(page, value_words(scenario), "probability");
}

Json laws_to_json(const Scenario& scenario, size_t prior) {
  const bool named = scenario.source && !scenario.source->labels.empty();
  Json laws = Json::array();
  for (uint32_t s : paired_secrets(scenario)) {
    const Distribution& given = scenario.priors[prior].given[s];
    Json values = Json::array(), labels = Json::array(), mass = Json::array();
    for (size_t k = 0; k < given.size(); ++k) {
      values.if_array()->push_back(number_to_json(scenario.lattice.value(given.atoms()[k])));
      if (named) labels.if_array()->push_back(Json::string(scenario.value_text(given.atoms()[k])));
      mass.if_array()->push_back(Json::number(seventeen_digits(given.mass(k))));
    }
    Json law = Json::object();
    law.add("secret", Json::string(scenario.secrets[s]));
    law.add("values", std::move(values));
    if (named) law.add("labels", std::move(labels));
    law.add("mass", std::move(mass));
    laws.if_array()->push_back(std::move(law));
  }
  Json json = Json::object();
  json.add("figure", Json::string("laws"));
  json.add("prior", Json::string(scenario.priors[prior].name));
  json.add("laws", std::move(laws));
  return json;
}

}  // namespace fugu
