#include "fugu/report/variance_chart.h"

#include <fmt/format.h>

#include <algorithm>

#include "fugu/calibrate/calibrate.h"
#include "fugu/calibrate/methods.h"
#include "fugu/report/scenario_facts.h"
#include "fugu/report/wording.h"

namespace fugu {

LineChart variance_chart(const Scenario& scenario, const std::vector<Epsilon>& epsilons,
                         const Progress& progress) {
  LineChart chart;
  const std::string columns = columns_words(scenario);
  chart.title = "Noise that hides " + (columns.empty() ? "the secret" : columns);
  chart.x_title = "epsilon (smaller hides more)";
  chart.y_title = "variance of the noise";
  chart.log_y = true;

  Scenario question = scenario;
  for (const Epsilon& epsilon : epsilons) {
    report(progress, static_cast<double>(&epsilon - epsilons.data()) / static_cast<double>(epsilons.size()),
           "drawing");
    question.promise({epsilon, scenario.stated().delta}, scenario.lambda());
    size_t line = 0;
    std::vector<Candidate> candidates = compare(question, {"laplace"});
    for (Candidate& candidate : compare_optima(question)) candidates.push_back(std::move(candidate));
    for (const Candidate& candidate : candidates) {
      if (candidate.method == "sensitivity") continue;
      if (line == chart.series.size())
        chart.series.push_back({candidate.method + ": " + candidate.title, {}});
      ChartSeries& series = chart.series[line++];
      const bool ended = !series.points.empty() && series.points.back().second == 0;
      if (ended) continue;
      double x = static_cast<double>(epsilon.value());
      if (candidate.changes_nothing) x = *candidate.loss;  // of the bare column: from there on, not from here
      if (candidate.changes_nothing && candidate.method == "exact") {
        chart.notes.push_back({x, 0, fmt::format("exact: no noise needed from {} on", rounded_up(x, 3))});
      }
      // The paper's variance is that of ideal Laplace; the optima are what they are on the lattice.
      const bool laplace = candidate.noise == "laplace";
      series.points.emplace_back(
          x, laplace ? 2 * candidate.scale->value * candidate.scale->value : *candidate.mse);
    }
  }
  chart.x_range = {
      {static_cast<double>(epsilons.front().value()), static_cast<double>(epsilons.back().value())}};
  return chart;
}

}  // namespace fugu
