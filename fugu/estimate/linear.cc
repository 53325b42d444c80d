#include "fugu/estimate/linear.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fugu/estimate/majorant.h"

namespace fugu {
namespace {

constexpr double kLeastEigenvalue = 1e-11;  // of the largest: below, undoing the noise is left to no double
constexpr double kRidges[] = {0, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1};

struct Candidate {
  Bounded bounds;
  double width = std::numeric_limits<double>::infinity();
};

// The normal approximation, and what Bernstein's inequality adds to it where a few rows decide. `means` and
// `squares` are of g, given each true value.
double deviation(const Observed& observed, const Eigen::VectorXd& g, const Eigen::VectorXd& means,
                 const Eigen::VectorXd& squares) {
  if (observed.unchanged) return 0;
  // The likeliest law leans to what explains the release best, and that is often what varies least.
  double spread = 0;
  for (const Eigen::VectorXd* p : {&observed.likely, &observed.smooth}) {
    const double mean = p->dot(means);
    spread = std::max(
        spread, observed.population ? p->dot(squares) - mean * mean : p->dot(squares - means.cwiseAbs2()));
  }
  const double farthest = std::max(g.maxCoeff() - means.minCoeff(), means.maxCoeff() - g.minCoeff());
  return observed.wide * std::sqrt(std::max(spread, 0.0) / observed.rows) +
         observed.wide * observed.wide * farthest / (6 * observed.rows);
}

class Ridges {
 public:
  Ridges(const Response& response, const Observed& observed, const Eigen::MatrixXd& wanted)
      : table_(response.table()), observed_(observed), wanted_(wanted) {
    // Each released value counts by how surprising it is when all true values are as frequent.
    const Eigen::VectorXd even = table_.rowwise().mean();
    weighed_ = table_;
    for (Eigen::Index y = 0; y < even.size(); ++y) weighed_.row(y) *= even(y) > 0 ? 1 / even(y) : 0;
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(table_.transpose() * weighed_);
    values_ = solver.eigenvalues().cwiseMax(0);
    vectors_ = solver.eigenvectors();
    turned_ = vectors_.transpose() * wanted_;
  }

  bool can_invert() const { return values_.minCoeff() > kLeastEigenvalue * values_.maxCoeff(); }

  // The estimates by the ridge regression with that share of the largest eigenvalue.
  std::vector<Candidate> with(double ridge) const {
    const Eigen::VectorXd damped = (values_.array() + ridge * values_.maxCoeff()).inverse();
    const Eigen::MatrixXd g = weighed_ * (vectors_ * (damped.asDiagonal() * turned_));
    const Eigen::MatrixXd means = table_.transpose() * g;
    const Eigen::MatrixXd squares = table_.transpose() * g.cwiseAbs2();
    std::vector<Candidate> result;
    for (Eigen::Index k = 0; k < wanted_.cols(); ++k) {
      const Eigen::VectorXd bias = means.col(k) - wanted_.col(k);
      result.push_back(judge(g.col(k), means.col(k), squares.col(k), bias.minCoeff(), bias.maxCoeff()));
    }
    return result;
  }

 private:
  Candidate judge(const Eigen::VectorXd& g, const Eigen::VectorXd& means, const Eigen::VectorXd& squares,
                  double least_bias, double most_bias) const {
    const double noise = deviation(observed_, g, means, squares);
    const double value = observed_.released.dot(g);
    const double low = value - most_bias - noise, high = value - least_bias + noise;
    return {{value - (least_bias + most_bias) / 2, low, high}, high - low};
  }

  const Eigen::MatrixXd& table_;
  const Observed& observed_;
  const Eigen::MatrixXd& wanted_;
  Eigen::MatrixXd weighed_, vectors_, turned_;
  Eigen::VectorXd values_;
};

}  // namespace

double uncertainty(const Eigen::MatrixXd& table, const Observed& observed, const Eigen::VectorXd& g) {
  return deviation(observed, g, table.transpose() * g, table.transpose() * g.cwiseAbs2());
}

Means estimate_means(const Response& response, const Observed& observed, const Eigen::MatrixXd& wanted,
                     const Progress& progress) {
  const Ridges ridges(response, observed, wanted);
  std::vector<Candidate> best(static_cast<size_t>(wanted.cols()));
  double done = 0;
  for (double ridge : kRidges) {
    report(progress, done++ / static_cast<double>(std::size(kRidges)), "undoing the noise");
    if (ridge == 0 && !ridges.can_invert()) continue;
    const std::vector<Candidate> candidates = ridges.with(ridge);
    for (size_t k = 0; k < best.size(); ++k) {
      if (candidates[k].width < best[k].width) best[k] = candidates[k];
    }
  }
  Means result{{}, ridges.can_invert()};
  for (const Candidate& candidate : best) result.bounds.push_back(candidate.bounds);
  if (!result.inverted) narrow_bounds(response, observed, wanted, result.bounds, progress);
  return result;
}

}  // namespace fugu
