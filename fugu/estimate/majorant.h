// Functions for the bounds of a mean where the noise cannot be undone: never below, or never above, what is
// wanted.
#pragma once

#include <Eigen/Dense>

#include "fugu/estimate/linear.h"

namespace fugu::inline in_estimate {

// E[g(Y) | x] >= h(x) for every x makes the mean of g no less than that of h, whatever the true law is; the g
// of least mean is a linear programme. Puts it in place of a column of `above` where its bound is expected to
// be lower, and likewise for -h in `below`. Left as they are where there are too many values.
void choose_majorants(const Response& response, const Observed& observed, const Undoing& undoing,
                      const Eigen::MatrixXd& wanted, const Functions& chosen, Eigen::MatrixXd& above,
                      Eigen::MatrixXd& below, const Progress& progress);

}  // namespace fugu::inline in_estimate
