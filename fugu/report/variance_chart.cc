#include "fugu/report/variance_chart.h"

#include <fmt/format.h>

#include <algorithm>

#include "fugu/calibrate/calibrate.h"
#include "fugu/calibrate/methods.h"
#include "fugu/report/scenario_facts.h"
#include "fugu/show/wording.h"

namespace fugu::inline in_report {

namespace {

// Every method that has a line; the optima last.
std::vector<Candidate> drawn_methods(const Scenario& scenario, const std::string& noise,
                                     const OptimumOptions& optimum) {
  std::vector<Candidate> candidates = compare(scenario, {noise});
  std::erase_if(candidates, [](const Candidate& candidate) { return candidate.method == "sensitivity"; });
  for (Candidate& candidate : compare_optima(scenario, optimum)) {
    if (candidate.method != "swap") candidates.push_back(std::move(candidate));  // it adds no noise
  }
  return candidates;
}

// The paper's variance is that of ideal Laplace; all else is what it is on the lattice.
double variance_of(const Candidate& candidate) {
  const bool laplace = candidate.noise == "laplace";
  return laplace ? 2 * candidate.scale->value * candidate.scale->value : *candidate.mse;
}

bool has_noise(const LineChart& chart) {
  for (const ChartSeries& series : chart.series) {
    for (const auto& [epsilon, variance] : series.points) {
      if (variance > 0) return true;
    }
  }
  return false;
}

}  // namespace

std::vector<Epsilon> figure_epsilons() {
  std::vector<Epsilon> result;
  auto add = [&](int hundredths) {
    result.push_back(Epsilon::parse(fmt::format("{}.{:02}", hundredths / 100, hundredths % 100), "epsilon",
                                    ErrorKind::kBug));
  };
  for (int k = 10; k < 100; ++k) add(k);
  for (int k = 100; k <= 580; k += 10) add(k);
  return result;
}

PlotName variance_name(const Scenario& scenario) {
  const std::string columns = columns_words(scenario);
  return {"Noise that hides " + (columns.empty() ? "the secret" : columns),
          "The variance of the noise that each method needs, against epsilon."};
}

LineChart variance_chart(const Scenario& scenario, const std::vector<Epsilon>& epsilons,
                         const std::string& noise, const OptimumOptions& optimum, const Progress& progress) {
  LineChart chart;
  chart.x_title = "epsilon (smaller hides more)";
  chart.y_title = "variance of the noise";
  chart.log_y = true;

  Scenario question = scenario;
  for (const Epsilon& epsilon : epsilons) {
    report(progress, static_cast<double>(&epsilon - epsilons.data()) / static_cast<double>(epsilons.size()),
           "drawing");
    question.promise({epsilon, scenario.stated().delta}, scenario.lambda());
    size_t line = 0;
    for (const Candidate& candidate : drawn_methods(question, noise, optimum)) {
      if (line == chart.series.size())
        chart.series.push_back({candidate.method + ": " + candidate.title, {}, look_of(line)});
      ChartSeries& series = chart.series[line++];
      const bool ended = !series.points.empty() && series.points.back().second == 0;
      // An unfinished search's error is not what its method costs.
      if (ended || !candidate.mse || candidate.unfinished) continue;
      double x = static_cast<double>(epsilon.value());
      // Of the bare column: from there on, not from here. With delta that is not known.
      if (candidate.changes_nothing && candidate.loss) x = *candidate.loss + candidate.for_close_beliefs;
      if (candidate.changes_nothing && candidate.method == "exact") {
        chart.notes.push_back({x, 0, fmt::format("exact: no noise needed from {} on", rounded_up(x, 3))});
      }
      series.points.emplace_back(x, variance_of(candidate));
    }
  }
  std::erase_if(chart.series, [](const ChartSeries& series) { return series.points.empty(); });
  if (!has_noise(chart)) {
    throw Error(ErrorKind::kUsage, "no method adds noise at these epsilons: there is nothing to draw",
                "give smaller ones with --epsilon, or another --noise");
  }
  chart.x_range = {
      {static_cast<double>(epsilons.front().value()), static_cast<double>(epsilons.back().value())}};
  return chart;
}

Json variance_to_json(const LineChart& chart) {
  Json lines = Json::array();
  for (const ChartSeries& series : chart.series) {
    Json points = Json::array();
    for (const auto& [epsilon, variance] : series.points)
      points.if_array()->push_back(Json::array({Json::number(epsilon), Json::number(variance)}));
    Json line = Json::object();
    line.add("method", Json::string(series.name));
    line.add("points", std::move(points));
    lines.if_array()->push_back(std::move(line));
  }
  Json json = Json::object();
  json.add("figure", Json::string("error"));
  json.add("lines", std::move(lines));
  return json;
}

}  // namespace fugu::inline in_report
