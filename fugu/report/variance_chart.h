// The paper's last figure: the variance of Laplace noise against epsilon, one line for each method.
#pragma once

#include <string>
#include <vector>

#include "fugu/core/progress.h"
#include "fugu/report/line_chart.h"
#include "fugu/scenario/scenario.h"

namespace fugu {

// Lines for every method but `sensitivity`, through the given epsilons (increasing). The variance is the
// paper's, 2 scale^2. Where a method needs no noise its line ends at the foot of the chart. Errors of
// compare().
LineChart variance_chart(const Scenario& scenario, const std::vector<Epsilon>& epsilons,
                         const Progress& progress = {});

}  // namespace fugu
