// The paper's last figure: the variance of the noise against epsilon, one line for each method.
#pragma once

#include <string>
#include <vector>

#include "fugu/calibrate/methods.h"
#include "fugu/core/json.h"
#include "fugu/core/progress.h"
#include "fugu/scenario/scenario.h"
#include "fugu/show/line_chart.h"

namespace fugu::inline in_report {

// From 0.1 to 5.8, dense where lines bend, through the paper's own epsilons 0.8, 1.3, …, 5.8.
std::vector<Epsilon> figure_epsilons();

// Lines for every method but `sensitivity` and the baselines, through the given epsilons (increasing). The
// variance of Laplace noise is the paper's, 2 scale^2; that of all else is the mean square of what is drawn.
// Where a method needs no noise its line ends at the foot of the chart; one that gives nothing has no line.
// Errors of compare(); Error (usage) when no method adds noise anywhere.
LineChart variance_chart(const Scenario& scenario, const std::vector<Epsilon>& epsilons,
                         const std::string& noise = "laplace", const OptimumOptions& optimum = {},
                         const Progress& progress = {});

PlotName variance_name(const Scenario& scenario);

// Its numbers: {"figure": "error", "lines": [{"method": its name and title, "points": [[epsilon, variance],
// …]}]}.
Json variance_to_json(const LineChart& chart);

}  // namespace fugu::inline in_report
