// Means of functions of the true value, estimated by functions of the released one, with bounds.
#pragma once

#include <Eigen/Dense>
#include <span>
#include <vector>

#include "fugu/estimate/estimate.h"
#include "fugu/estimate/response.h"

namespace fugu::inline in_estimate {

// The released frequencies, and how sure bounds must be.
struct Observed {
  Eigen::VectorXd released;  // by row of the response, adds up to 1
  double rows = 0;
  double miss = 0;  // how often each end may miss
  bool population = false;
  bool unchanged = false;  // rows were released as they are, and it is they that are asked about
};

// Functions g of the released value, a column each, for functions h of the true one; `means` are E[g | x].
// They are chosen before the released values are looked at: a choice by these would have to be paid for.
struct Functions {
  Eigen::MatrixXd g, means;
  std::vector<double> widths;  // of the bounds, if all true values were as frequent
};

// Weighted ridge regressions from none to strong, and the bounds that follow from their functions.
class Undoing {
 public:
  Undoing(const Response& response, const Observed& observed);

  bool can_invert() const;
  // One column of `wanted` for each h. For each the regression whose bounds would be narrowest.
  Functions choose(const Eigen::MatrixXd& wanted, const Progress& progress) const;

  // For each g, at least the average over the table's rows of its variance given the true value; none of a
  // population.
  Eigen::VectorXd variances_above(const Eigen::MatrixXd& g) const;
  // For each column of g with these variances, at least the mean of h, but for a chance of `miss`.
  std::vector<double> above(const Eigen::MatrixXd& g, const Eigen::VectorXd& variances,
                            const Eigen::MatrixXd& wanted, const Progress& progress) const;
  // How far above the mean of h that is expected to lie, if all true values were as frequent.
  double expected_above(const Eigen::VectorXd& g, const Eigen::VectorXd& h) const;

 private:
  Functions choose(const Eigen::MatrixXd& wanted, std::span<const double> ridges,
                   const Progress& progress) const;
  double spread(const Eigen::VectorXd& g, const Eigen::VectorXd& means, const Eigen::VectorXd& squares) const;
  double above_of_table(const Eigen::VectorXd& g, double variance) const;
  double above_of_population(const Eigen::VectorXd& g) const;

  const Eigen::MatrixXd& table_;
  const Observed& observed_;
  Eigen::MatrixXd weighed_, vectors_;
  Eigen::VectorXd values_;
};

struct Means {
  std::vector<Bounded> bounds;
  std::vector<double> widths;  // as expected: known before the released values
  bool inverted = false;       // the noise can be undone: with enough rows every bound becomes sharp
};

// One column of `wanted` for each function h, by true value; the estimates of their means. Each end holds by
// itself (docs/math.md, section 15).
Means estimate_means(const Response& response, const Observed& observed, const Eigen::MatrixXd& wanted,
                     const Progress& progress);

}  // namespace fugu::inline in_estimate
