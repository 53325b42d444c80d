// The distribution of true values under which the release is likeliest.
#pragma once

#include <Eigen/Dense>

#include "fugu/core/progress.h"

namespace fugu::inline in_estimate {

// Maximises sum_y released(y) log (table * p)(y) over the distributions p, by expectation maximisation with
// extrapolation, until a step gains less than 1e-9 of a log-likelihood unit a row, or 5,000 steps.
// Precondition: every row of the table that was released has a positive entry; released adds up to 1.
Eigen::VectorXd likeliest(const Eigen::MatrixXd& table, const Eigen::VectorXd& released,
                          const Progress& progress);

}  // namespace fugu::inline in_estimate
