#include "fugu/estimate/linear.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <limits>
#include <mutex>
#include <optional>

#include "fugu/estimate/deviation.h"
#include "fugu/estimate/majorant.h"

namespace fugu::inline in_estimate {
namespace {

constexpr double kLeastEigenvalue = 1e-11;  // of the largest: below, undoing the noise is left to no double
constexpr double kRidges[] = {0, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1};
constexpr double kVarianceRidges[] = {0, 1e-8, 1e-5, 1e-3};  // a variance need not be known so well
constexpr double kSameValue = 1e-12;                         // of the range of g

double deviations(double miss) {
  return boost::math::quantile(boost::math::complement(boost::math::normal(), miss));
}

RowLaws laws_of(const Eigen::MatrixXd& table, const Eigen::VectorXd& g) {
  auto moments = [&table, &g](double t) -> RowMoments {
    Eigen::Matrix<double, Eigen::Dynamic, 5> powers(g.size(), 5);
    powers.col(0) = (-t * g.array()).exp();
    for (int k = 1; k < 5; ++k) powers.col(k) = powers.col(k - 1).cwiseProduct(g);
    return table.transpose() * powers;
  };
  return {moments, g.maxCoeff() - g.minCoeff()};
}

// How often the greater value of g was released, and the two; none where g has more.
struct TwoValues {
  double low, high, share;
};

std::optional<TwoValues> two_values(const Eigen::MatrixXd& table, const Eigen::VectorXd& g,
                                    const Eigen::VectorXd& released) {
  TwoValues result{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(), 0};
  auto possible = [&](Eigen::Index y) { return table.row(y).maxCoeff() > 0; };
  for (Eigen::Index y = 0; y < g.size(); ++y) {
    if (!possible(y)) continue;
    result.low = std::min(result.low, g(y));
    result.high = std::max(result.high, g(y));
  }
  const double near = kSameValue * (result.high - result.low);
  for (Eigen::Index y = 0; y < g.size(); ++y) {
    if (!possible(y)) continue;
    const bool is_high = g(y) >= result.high - near;
    if (!is_high && g(y) > result.low + near) return std::nullopt;
    if (is_high) result.share += released(y);
  }
  return result;
}

}  // namespace

Undoing::Undoing(const Response& response, const Observed& observed)
    : table_(response.table()), observed_(observed) {
  // Each released value counts by how surprising it is when all true values are as frequent.
  const Eigen::VectorXd even = table_.rowwise().mean();
  weighed_ = table_;
  for (Eigen::Index y = 0; y < even.size(); ++y) weighed_.row(y) *= even(y) > 0 ? 1 / even(y) : 0;
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(table_.transpose() * weighed_);
  values_ = solver.eigenvalues().cwiseMax(0);
  vectors_ = solver.eigenvectors();
}

bool Undoing::can_invert() const { return values_.minCoeff() > kLeastEigenvalue * values_.maxCoeff(); }

// What the normal law says of the mean of g, and what Bernstein's inequality adds where a few rows decide.
double Undoing::spread(const Eigen::VectorXd& g, const Eigen::VectorXd& means,
                       const Eigen::VectorXd& squares) const {
  const double variance = observed_.population ? squares.mean() - std::pow(means.mean(), 2)
                                               : (squares - means.cwiseAbs2()).mean();
  const double farthest = std::max(g.maxCoeff() - means.minCoeff(), means.maxCoeff() - g.minCoeff());
  const double wide = deviations(observed_.miss);
  return wide * std::sqrt(std::max(variance, 0.0) / observed_.rows) +
         wide * wide * farthest / (6 * observed_.rows);
}

Functions Undoing::choose(const Eigen::MatrixXd& wanted, const Progress& progress) const {
  return choose(wanted, kRidges, progress);
}

Functions Undoing::choose(const Eigen::MatrixXd& wanted, std::span<const double> ridges,
                          const Progress& progress) const {
  Functions best{Eigen::MatrixXd(table_.rows(), wanted.cols()), Eigen::MatrixXd(table_.cols(), wanted.cols()),
                 std::vector(static_cast<size_t>(wanted.cols()), std::numeric_limits<double>::infinity())};
  const Eigen::MatrixXd turned = vectors_.transpose() * wanted;
  double done = 0;
  for (double ridge : ridges) {
    report(progress, done++ / static_cast<double>(ridges.size()), "undoing the noise");
    if (ridge == 0 && !can_invert()) continue;
    const Eigen::VectorXd damped = (values_.array() + ridge * values_.maxCoeff()).inverse();
    const Eigen::MatrixXd g = weighed_ * (vectors_ * (damped.asDiagonal() * turned));
    const Eigen::MatrixXd means = table_.transpose() * g, squares = table_.transpose() * g.cwiseAbs2();
    for (Eigen::Index k = 0; k < wanted.cols(); ++k) {
      const Eigen::VectorXd bias = means.col(k) - wanted.col(k);
      const double width =
          bias.maxCoeff() - bias.minCoeff() + 2 * spread(g.col(k), means.col(k), squares.col(k));
      if (width >= best.widths[static_cast<size_t>(k)]) continue;
      best.widths[static_cast<size_t>(k)] = width;
      best.g.col(k) = g.col(k);
      best.means.col(k) = means.col(k);
    }
  }
  return best;
}

double Undoing::expected_above(const Eigen::VectorXd& g, const Eigen::VectorXd& h) const {
  const Eigen::VectorXd means = table_.transpose() * g, bias = means - h;
  return bias.mean() - bias.minCoeff() + spread(g, means, table_.transpose() * g.cwiseAbs2());
}

Eigen::VectorXd Undoing::variances_above(const Eigen::MatrixXd& g) const {
  if (observed_.population) return {};
  const Eigen::MatrixXd means = table_.transpose() * g;
  const Eigen::MatrixXd variances = (table_.transpose() * g.cwiseAbs2() - means.cwiseAbs2()).cwiseMax(0);
  const Functions w = choose(variances, kVarianceRidges, {});
  const Eigen::MatrixXd squares = table_.transpose() * w.g.cwiseAbs2();
  Eigen::VectorXd result(g.cols());
  for (Eigen::Index k = 0; k < g.cols(); ++k) {
    const Eigen::VectorXd mean = w.means.col(k);
    const double least_bias = (mean - variances.col(k)).minCoeff();
    result(k) = highest_average(observed_.released.dot(w.g.col(k)) - least_bias,
                                (squares.col(k) - mean.cwiseAbs2()).cwiseMax(0), variances.col(k),
                                mean.maxCoeff() - w.g.col(k).minCoeff(), observed_.rows,
                                kForVariance * observed_.miss);
  }
  return result;
}

double Undoing::above_of_table(const Eigen::VectorXd& g, double variance) const {
  return deviation_of_table(laws_of(table_, g), variance, observed_.rows,
                            (1 - kForVariance) * observed_.miss);
}

double Undoing::above_of_population(const Eigen::VectorXd& g) const {
  if (const auto two = two_values(table_, g, observed_.released)) {
    const double count = std::round(two->share * observed_.rows);
    return two->low + (two->high - two->low) * highest_probability(count, observed_.rows, observed_.miss);
  }
  return highest_mean(laws_of(table_, g), observed_.released.dot(g), observed_.released.dot(g.cwiseAbs2()),
                      observed_.rows, observed_.miss);
}

std::vector<double> Undoing::above(const Eigen::MatrixXd& g, const Eigen::VectorXd& variances,
                                   const Eigen::MatrixXd& wanted, const Progress& progress) const {
  const Eigen::MatrixXd bias = table_.transpose() * g - wanted;
  std::vector<double> result(static_cast<size_t>(g.cols()));
  std::mutex reporting;
  size_t done = 0;
  tbb::parallel_for(Eigen::Index{0}, g.cols(), [&](Eigen::Index k) {
    // About its middle, so that powers of it lose no digits.
    const double middle = (g.col(k).maxCoeff() + g.col(k).minCoeff()) / 2;
    const Eigen::VectorXd moved = g.col(k).array() - middle;
    const double most = observed_.population
                            ? above_of_population(moved)
                            : observed_.released.dot(moved) + above_of_table(moved, variances(k));
    result[static_cast<size_t>(k)] = most + middle - bias.col(k).minCoeff();
    const std::lock_guard one_at_a_time(reporting);
    report(progress, static_cast<double>(++done) / static_cast<double>(result.size()), "bounding the errors");
  });
  return result;
}

Means estimate_means(const Response& response, const Observed& observed, const Eigen::MatrixXd& wanted,
                     const Progress& progress) {
  if (observed.unchanged) {
    const Eigen::VectorXd exact = wanted.transpose() * (response.table().transpose() * observed.released);
    Means known{{}, std::vector(static_cast<size_t>(exact.size()), 0.0), true};
    for (double value : exact) known.bounds.push_back({value, value, value});
    return known;
  }
  const Undoing undoing(response, observed);
  const Functions chosen = undoing.choose(wanted, progress);
  Means result{{}, chosen.widths, undoing.can_invert()};
  Eigen::MatrixXd above = chosen.g, below = -chosen.g;
  if (!result.inverted) choose_majorants(response, observed, undoing, wanted, chosen, above, below, progress);
  const Eigen::VectorXd variances = undoing.variances_above(above);
  const std::vector<double> highs = undoing.above(above, variances, wanted, progress);
  const std::vector<double> lows =
      undoing.above(below, result.inverted ? variances : undoing.variances_above(below), -wanted, progress);
  for (size_t k = 0; k < highs.size(); ++k) {
    const auto at = static_cast<Eigen::Index>(k);
    const Eigen::VectorXd bias = chosen.means.col(at) - wanted.col(at);
    const double value = observed.released.dot(chosen.g.col(at)) - (bias.minCoeff() + bias.maxCoeff()) / 2;
    result.bounds.push_back({value, -lows[k], highs[k]});
  }
  return result;
}

}  // namespace fugu::inline in_estimate
