// How far the mean of a function of the released values may lie from what it is expected to be.
//
// Every bound here holds for any number of rows (docs/math.md, section 15): Chernoff's inequality for the
// tilted law, times the Berry-Esseen bound of what the tilt leaves. With many rows it comes within a few
// percent of the normal law's.
#pragma once

#include <Eigen/Dense>
#include <functional>

namespace fugu::inline in_estimate {

// For each true value a row: E[e^(-t g) g^k | x] for k = 0 … 4, g the function of the released value.
using RowMoments = Eigen::Matrix<double, Eigen::Dynamic, 5>;
struct RowLaws {
  std::function<RowMoments(double t)> moments;
  double range = 0;  // about how far values of g lie apart: for good choices of t and of what is rounding
};

constexpr double kForVariance = 0.05;  // of the chance to miss: for what the variance may be

// The d that (sum of E[g | x_i] - sum of g(Y_i)) / n exceeds with a probability of at most `miss`, if the
// variances of g given x_i are at most `variance` on average: whatever the true values are.
double deviation_of_table(const RowLaws& laws, double variance, double rows, double miss);

// A bound that E[g] exceeds with a probability of at most `miss` for rows that are drawn independently of one
// population, whatever that is: `mean` and `square` are those of g over the rows.
double highest_mean(const RowLaws& laws, double mean, double square, double rows, double miss);

// The same of a share: the probability of an event that was seen `count` times (Clopper and Pearson).
double highest_probability(double count, double rows, double miss);

// The average of v(x_i), at most, but for `miss`, from the mean over the rows of a w with E[w | x] >= v(x):
// given for each x the variance of w and v, and how far w goes below its mean.
double highest_average(double mean, const Eigen::VectorXd& variances, const Eigen::VectorXd& v, double fall,
                       double rows, double miss);

}  // namespace fugu::inline in_estimate
