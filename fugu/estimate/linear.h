// Means of functions of the true value, estimated by functions of the released one, with bounds.
#pragma once

#include <Eigen/Dense>
#include <vector>

#include "fugu/estimate/estimate.h"
#include "fugu/estimate/response.h"

namespace fugu {

// The released frequencies, and how wide bounds must be.
struct Observed {
  Eigen::VectorXd released;  // by row of the response, adds up to 1
  Eigen::VectorXd likely;    // two guesses of the true law, for variances: the likeliest, and a smooth one
  Eigen::VectorXd smooth;
  double rows = 0;
  double wide = 0;  // standard deviations to each side
  bool population = false;
  bool unchanged = false;  // rows were released as they are, and it is they that are asked about
};

// How far the mean of g over the released rows may be from what it is expected to be.
double uncertainty(const Eigen::MatrixXd& table, const Observed& observed, const Eigen::VectorXd& g);

struct Means {
  std::vector<Bounded> bounds;
  bool inverted = false;  // the noise can be undone: with enough rows every bound becomes sharp
};

// One column of `wanted` for each function h, by true value; the estimates of their means. For each h the g
// is chosen, among those of ridge regressions from none to strong, by the width of its bounds.
Means estimate_means(const Response& response, const Observed& observed, const Eigen::MatrixXd& wanted,
                     const Progress& progress);

}  // namespace fugu
