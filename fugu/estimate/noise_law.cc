#include "fugu/estimate/noise_law.h"

#include <unsupported/Eigen/FFT>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <optional>

namespace fugu::inline in_estimate {
namespace {

constexpr double kFarthest = 1e9;                   // steps
constexpr int64_t kMostNumbers = int64_t{1} << 22;  // of a sum's law
constexpr double kTransformError = 1e-14;  // of the transform of one draw's law; n times that for n draws

// Where the sum lies but for a chance of `left` on that side, by Chernoff's inequality: above the mean with
// sign 1, below it with -1.
double chernoff(const NoiseLaw& law, double mean, double draws, double left, double sign) {
  double best = std::numeric_limits<double>::infinity();
  const double spread = std::sqrt(law.moments(0)[2] - mean * mean);
  for (double t = 1e-6 / spread; t < 1e3 / spread; t *= 1.1) {
    const double mass = law.moments(-sign * t)[0];
    if (!(mass < std::numeric_limits<double>::infinity())) break;
    best = std::min(best, (draws * (std::log(mass) - sign * t * mean) - std::log(left)) / t);
  }
  return best;
}

// Probabilities of the sum at first, first + 1, …; what is missing or rounded adds up to at most `doubt`.
struct SumLaw {
  int64_t first = 0;
  std::vector<double> at;
  double doubt = 0;
};

std::optional<SumLaw> law_of_sum(const NoiseLaw& law, double mean, double draws, double miss) {
  const double left = miss * 1e-3;
  const double low = std::floor(draws * mean - chernoff(law, mean, draws, left, -1)),
               high = std::ceil(draws * mean + chernoff(law, mean, draws, left, 1));
  const int64_t wide = law.margin(1e-18);
  if (!(high - low < static_cast<double>(kMostNumbers)) || wide > kMostNumbers) return std::nullopt;
  SumLaw sum{static_cast<int64_t>(low), {}, left + draws * (kTransformError + 2e-18)};
  if (sum.doubt > miss / 50) return std::nullopt;
  int64_t size = 2;
  while (size < static_cast<int64_t>(high - low) + 2) size *= 2;
  // On a circle of that size: whatever lies beyond the window falls onto it and adds to what is there.
  auto place = [&](int64_t z) { return static_cast<size_t>(((z % size) + size) % size); };
  std::vector<double> one(static_cast<size_t>(size), 0.0), all;
  for (int64_t z = -wide; z <= wide; ++z) one[place(z)] += law.at(z);
  Eigen::FFT<double> transform;
  std::vector<std::complex<double>> waves;
  transform.fwd(waves, one);
  for (auto& wave : waves) wave = wave == 0.0 ? 0.0 : std::exp(draws * std::log(wave));
  transform.inv(all, waves);
  for (double z = low; z <= high; ++z) sum.at.push_back(std::max(0.0, all[place(static_cast<int64_t>(z))]));
  return sum;
}

}  // namespace

NoiseLaw::NoiseLaw(const Noise& noise)
    : reach_(noise.reach()), tail_(static_cast<double>(noise.tail.value())) {
  const Rational total = total_weight(noise);
  for (const Integer& weight : noise.weights)
    shares_.push_back(static_cast<double>(Rational(weight) / total));
  sums_.push_back(shares_.front() * tail_ / (1 - tail_));
  for (double share : shares_) sums_.push_back(sums_.back() + share);
}

double NoiseLaw::at(int64_t z) const {
  const int64_t beyond = std::llabs(z) - reach_;
  if (beyond <= 0) return shares_[static_cast<size_t>(z + reach_)];
  return (z < 0 ? shares_.front() : shares_.back()) * std::pow(tail_, static_cast<double>(beyond));
}

double NoiseLaw::at_most(int64_t z) const {
  if (z < -reach_) return at(z) / (1 - tail_);
  if (z > reach_) return 1 - at(z + 1) / (1 - tail_);
  return sums_[static_cast<size_t>(z + reach_ + 1)];
}

double NoiseLaw::at_least(int64_t z) const { return z > reach_ ? at(z) / (1 - tail_) : 1 - at_most(z - 1); }

int64_t NoiseLaw::margin(double left) const {
  if (tail_ == 0) return reach_;
  return reach_ + static_cast<int64_t>(std::min(std::log(left) / std::log(tail_), kFarthest)) + 1;
}

std::array<double, 5> NoiseLaw::moments(double t, double x) const {
  std::array<double, 5> sums{};
  auto add = [&](double mass, double z) {
    for (double& sum : sums) {
      sum += mass;
      mass *= z;
    }
  };
  for (int64_t z = -reach_; z <= reach_; ++z) {
    const auto steps = static_cast<double>(z);
    add(shares_[static_cast<size_t>(z + reach_)] * std::exp(-t * (x + steps)), x + steps);
  }
  for (const double side : {-1.0, 1.0}) {
    const double q = tail_ * std::exp(-t * side), rest = 1 - q, far = x + side * static_cast<double>(reach_);
    if (q >= 1) {
      sums.fill(std::numeric_limits<double>::infinity());
      return sums;
    }
    // sum over j >= 1 of q^j j^k.
    const double powers[] = {q / rest, q / (rest * rest), q * (1 + q) / std::pow(rest, 3),
                             q * (1 + 4 * q + q * q) / std::pow(rest, 4),
                             q * (1 + q * (11 + q * (11 + q))) / std::pow(rest, 5)};
    constexpr double kChoose[5][5] = {{1}, {1, 1}, {1, 2, 1}, {1, 3, 3, 1}, {1, 4, 6, 4, 1}};
    const double edge = (side < 0 ? shares_.front() : shares_.back()) * std::exp(-t * far);
    for (int k = 0; k < 5; ++k) {
      double sum = 0;
      for (int j = 0; j <= k; ++j)
        sum += kChoose[k][j] * std::pow(far, k - j) * std::pow(side, j) * powers[j];
      sums[static_cast<size_t>(k)] += edge * sum;
    }
  }
  return sums;
}

RowLaws laws_of(const NoiseLaw& law, const std::vector<double>& values, double sign) {
  auto moments_at = [&law, values, sign](double t) {
    RowMoments rows(static_cast<Eigen::Index>(values.size()), 5);
    for (Eigen::Index x = 0; x < rows.rows(); ++x) {
      const auto moments = law.moments(sign * t, values[static_cast<size_t>(x)]);
      for (int k = 0; k < 5; ++k) rows(x, k) = (k % 2 ? sign : 1) * moments[static_cast<size_t>(k)];
    }
    return rows;
  };
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  return {moments_at, *most - *least + 10 * std::sqrt(law.moments(0)[2])};
}

std::pair<int64_t, int64_t> reach_of(const Noise& noise, double left) {
  const NoiseLaw law(noise);
  auto least = [&](auto rest) {
    int64_t low = 0, high = 1;
    while (rest(high) > left && static_cast<double>(high) < kFarthest) high *= 2;
    while (high - low > 1) {
      const int64_t middle = low + (high - low) / 2;
      (rest(middle) > left ? low : high) = middle;
    }
    return high;
  };
  if (noise.is_none()) return {0, 0};
  return {least([&](int64_t t) { return law.at_most(-t - 1); }),
          least([&](int64_t t) { return law.at_least(t + 1); })};
}

SumReach sum_reach(const Noise& noise, uint64_t draws, double miss) {
  if (noise.is_none()) return {};
  const NoiseLaw law(noise);
  const auto rows = static_cast<double>(draws);
  const auto mean = static_cast<double>(fugu::mean(noise));
  const auto sum = law_of_sum(law, mean, rows, miss);
  if (!sum) {
    const Rational added = fugu::mean(noise);
    const auto variance = static_cast<double>(Rational(mean_square(noise) - added * added));
    auto one_side = [&](double sign) {
      return rows * deviation_of_table(laws_of(law, {0}, sign), variance, rows, miss);
    };
    return {one_side(1) - rows * mean, one_side(-1) + rows * mean};
  }
  SumReach result;
  // From each end inward, as far as what lies beyond stays below.
  double beyond = sum->doubt;
  size_t k = 0;
  while (k < sum->at.size() && beyond + sum->at[k] <= miss) beyond += sum->at[k++];
  result.down = -static_cast<double>(sum->first + static_cast<int64_t>(k));
  beyond = sum->doubt;
  k = sum->at.size();
  while (k > 0 && beyond + sum->at[k - 1] <= miss) beyond += sum->at[--k];
  result.up = static_cast<double>(sum->first + static_cast<int64_t>(k) - 1);
  return result;
}

}  // namespace fugu::inline in_estimate
