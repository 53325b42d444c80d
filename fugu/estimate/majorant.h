// Bounds of a mean where the noise cannot be undone: functions of the released value that are never below, or
// never above, what is wanted.
#pragma once

#include <Eigen/Dense>
#include <vector>

#include "fugu/estimate/linear.h"

namespace fugu {

// Narrows each bound: g with E[g(Y) | x] >= h(x) for every x estimates no less than the mean of h, whatever
// the true law is; the one of least mean is a linear programme. Left as they are where there are too many
// values.
void narrow_bounds(const Response& response, const Observed& observed, const Eigen::MatrixXd& wanted,
                   std::vector<Bounded>& bounds, const Progress& progress);

}  // namespace fugu
