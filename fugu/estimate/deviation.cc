#include "fugu/estimate/deviation.h"

#include <algorithm>
#include <boost/math/constants/constants.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/special_functions/beta.hpp>
#include <cmath>
#include <limits>
#include <vector>

namespace fugu::inline in_estimate {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kBerryEsseen = 0.56;    // Shevtsova (2010), for sums of independent rows of any laws
constexpr double kSmall = 1e-7;          // of the largest variance: what is below is added up, not divided by
constexpr double kLittle = 1e-4;         // of the same: an average below it counts as that much
constexpr double kLeastVariance = 1e-5;  // of the range squared: what is far below is rounding
constexpr double kRounding = 4e-15;      // of a mean of e^(-t g)
constexpr double kTilts[] = {0.3, 0.6, 1.0};  // of what is best for the normal law, where rows are few
constexpr double kStrongestTilt = 25;         // over the range
constexpr int kRounds = 12;

// Of g - centre in place of g.
Eigen::Matrix<double, 1, 5> about(const Eigen::Matrix<double, 1, 5>& raw, double t, double centre) {
  Eigen::Matrix<double, 1, 5> moved = raw;
  for (int k = 4; k > 0; --k) {  // (g - c) g^j = g^(j + 1) - c g^j, over and over
    for (int j = 4; j > 4 - k; --j) moved(j) -= centre * moved(j - 1);
  }
  return t == 0 ? moved : Eigen::Matrix<double, 1, 5>(moved * std::exp(t * centre));
}

// What is common to all laws of a row that are possible, about their centres: of a table's row its own mean,
// of a population's the population's.
class Tilted {
 public:
  Tilted(const RowMoments& plain, const RowMoments& tilted, double t, double range,
         const Eigen::VectorXd& centres)
      : t_(t), most_(kLeastVariance * range * range) {
    Eigen::Matrix<double, Eigen::Dynamic, 5> all(plain.rows(), 5);
    for (Eigen::Index x = 0; x < plain.rows(); ++x) {
      all.row(x) = about(plain.row(x), 0, centres(x));
      most_ = std::max(most_, all(x, 2));
    }
    const double small = kSmall * most_;
    floor_ = std::max(small, 1e3 * kRounding / (t * t));
    double little_third = 0, little_shift = 0;
    for (Eigen::Index x = 0; x < plain.rows(); ++x) {
      const Eigen::Matrix<double, 1, 5> m = all.row(x), n = about(tilted.row(x), t, centres(x));
      growth_ = std::max(growth_, (n(0) - 1 + t * m(1) + kRounding) / (t * t * (m(2) + floor_) / 2));
      if (m(2) <= small) {
        little_third = std::max(little_third, std::sqrt(std::max(n(2), 0.0) * std::max(n(4), 0.0)));
        little_shift = std::max(little_shift, std::abs(n(1) - m(1)));
        continue;
      }
      least_ = std::min(least_, n(2) / m(2));
      third_ = std::max(third_, std::sqrt(n(4) / n(2)));
      shift_ = std::max(shift_, std::abs(n(1) - m(1)) / m(2));
    }
    least_ *= 1 - kSmall / kLittle;
    third_ += little_third / (kLittle * most_);
    shift_ += little_shift / (kLittle * most_);
  }

  // The least d with P(mean of the centres - mean of g > d) <= miss, for an average variance of at most
  // `variance`, and none of a row's law above `largest`.
  double deviation(double variance, double largest, double rows, double miss) const {
    const double one = 1 + growth_ * t_ * t_ * (largest + floor_) / 2;
    const double left = (least_ - shift_ * shift_ * largest) / one;  // of the variance, after the tilt
    double beside = kInfinity;
    if (left > 0 && least_ < kInfinity) {
      const double third = std::pow(std::cbrt(third_ * (1 + shift_ * shift_ * largest / left)) +
                                        shift_ * std::pow(largest, 2.0 / 3) / std::cbrt(left),
                                    3);
      beside = (boost::math::constants::one_div_root_two_pi<double>() + 2 * kBerryEsseen * third * t_) /
               std::sqrt(left);
    }
    auto size_of = [&](double average) { return rows * t_ * t_ * (average + floor_); };
    const double little = size_of(kLittle * most_), size = std::max(size_of(variance), little);
    auto exponent = [&](double y) { return rows * std::log1p(growth_ * y / (2 * rows)); };
    // Averages below `variance` are possible, too: the worst is one of the ends.
    const double worst = std::max(exponent(std::clamp(beside * beside, little, size)),
                                  exponent(size) + std::min(0.0, std::log(beside / std::sqrt(size))));
    const double d = (worst - std::log(miss)) / (rows * t_);
    return d >= 0 ? d : kInfinity;  // not a number where a tilt was too strong
  }

 private:
  double t_;
  double most_, floor_ = 0, growth_ = 0, least_ = kInfinity, third_ = 0, shift_ = 0;
};

// About where the best tilt is: for the normal law, and for rare steps of the whole range.
std::vector<double> tilts(double variance, double range, double rows, double miss) {
  const double z = boost::math::quantile(boost::math::complement(boost::math::normal(), std::min(miss, 0.4)));
  const double normal = (z + std::sqrt(z * z + 4)) / 2 / std::sqrt(rows * variance);
  std::vector<double> result{std::log1p(range * normal) / range};
  if (result.front() > 0.8 * normal) return result;
  for (double part : kTilts) result.push_back(std::min(part * normal, kStrongestTilt / range));
  return result;
}

}  // namespace

double deviation_of_table(const RowLaws& laws, double variance, double rows, double miss) {
  const RowMoments plain = laws.moments(0);
  const Eigen::VectorXd means = plain.col(1);
  const Eigen::VectorXd variances = plain.col(2) - means.cwiseAbs2();
  variance = std::min(variance, variances.maxCoeff());
  if (!(variance > 0)) return 0;
  double best = kInfinity;
  for (double t : tilts(variance, laws.range, rows, miss)) {
    const Tilted law(plain, laws.moments(t), t, laws.range, means);
    best = std::min(best, law.deviation(variance, variances.maxCoeff(), rows, miss));
  }
  return best;
}

double highest_mean(const RowLaws& laws, double mean, double square, double rows, double miss) {
  const RowMoments plain = laws.moments(0);
  const double most = plain.col(1).maxCoeff();
  const double log_miss = -std::log(kForVariance * miss);
  // The largest variance about `centre` that leaves `square` as it was seen, but for kForVariance * miss.
  auto variance_at = [&](double centre) {
    double largest = 0, heavy = 0, little = 0;
    for (Eigen::Index x = 0; x < plain.rows(); ++x)
      largest = std::max(largest, about(plain.row(x), 0, centre)(2));
    for (Eigen::Index x = 0; x < plain.rows(); ++x) {
      const auto m = about(plain.row(x), 0, centre);
      double& most_of_it = m(2) > kSmall * largest ? heavy : little;
      most_of_it = std::max(most_of_it, &most_of_it == &heavy ? m(4) / m(2) : m(4));
    }
    if (largest > 0) heavy += little / (kLittle * largest);
    const double seen = std::max(square - 2 * centre * mean + centre * centre, 0.0);
    const double more = heavy * log_miss / (2 * rows);
    const double root = std::sqrt(more) + std::sqrt(seen + more);
    return std::min(std::max(root * root, kLittle * largest), largest);
  };
  double bound = most;
  if (!(variance_at(mean) > 0)) return std::max(bound, mean);
  std::vector<std::pair<double, RowMoments>> tilted;
  for (double t : tilts(variance_at(mean), laws.range, rows, miss)) tilted.emplace_back(t, laws.moments(t));
  for (int k = 0; k < kRounds; ++k) {
    const double variance = variance_at(bound);
    double best = kInfinity;
    for (const auto& [t, moments] : tilted) {
      const Tilted law(plain, moments, t, laws.range, Eigen::VectorXd::Constant(plain.rows(), bound));
      best = std::min(best, law.deviation(variance, variance, rows, (1 - kForVariance) * miss));
    }
    const double next = std::min(bound, std::max(mean + best, mean));
    if (next > bound - 1e-5 * (bound - mean)) break;
    bound = next;
  }
  return bound;
}

double highest_probability(double count, double rows, double miss) {
  return count >= rows ? 1 : boost::math::ibeta_inv(count + 1, rows - count, 1 - miss);
}

double highest_average(double mean, const Eigen::VectorXd& variances, const Eigen::VectorXd& v, double fall,
                       double rows, double miss) {
  const double log_miss = -std::log(miss), far = log_miss * std::max(fall, 0.0) / (3 * rows);
  double ratio = 0;
  for (Eigen::Index x = 0; x < v.size(); ++x)
    ratio = std::max(ratio, v(x) > 0 ? variances(x) / v(x) : variances(x) > 0 ? kInfinity : 0);
  double bound = v.maxCoeff();
  for (int k = 0; k < kRounds; ++k) {
    const double variance = std::min(variances.maxCoeff(), ratio * bound);
    const double off = far + std::sqrt(far * far + 2 * log_miss * std::max(variance, 0.0) / rows);
    bound = std::min(bound, mean + off);
  }
  return std::max(bound, 0.0);
}

}  // namespace fugu::inline in_estimate
