#include "fugu/estimate/response.h"

#include <algorithm>
#include <cmath>

namespace fugu {
namespace {

constexpr double kTiny = 1e-13;        // mass of the noise that is gathered at each end
constexpr int64_t kMostMargin = 2000;  // steps

// P(noise = z) and P(noise <= z) in doubles.
class NoiseLaw {
 public:
  explicit NoiseLaw(const Noise& noise)
      : reach_(noise.reach()), tail_(static_cast<double>(noise.tail.value())) {
    const Rational total = total_weight(noise);
    for (const Integer& weight : noise.weights)
      shares_.push_back(static_cast<double>(Rational(weight) / total));
    sums_.push_back(shares_.front() * tail_ / (1 - tail_));
    for (double share : shares_) sums_.push_back(sums_.back() + share);
  }
  double at(int64_t z) const {
    const int64_t beyond = std::llabs(z) - reach_;
    if (beyond <= 0) return shares_[static_cast<size_t>(z + reach_)];
    return (z < 0 ? shares_.front() : shares_.back()) * std::pow(tail_, static_cast<double>(beyond));
  }
  double at_most(int64_t z) const {
    if (z < -reach_) return at(z) / (1 - tail_);
    if (z > reach_) return 1 - at(z + 1) / (1 - tail_);
    return sums_[static_cast<size_t>(z + reach_ + 1)];
  }
  double at_least(int64_t z) const { return z > reach_ ? at(z) / (1 - tail_) : 1 - at_most(z - 1); }
  // How far the noise goes but for a mass of kTiny.
  int64_t margin() const {
    if (tail_ == 0) return reach_;
    const double steps = std::log(kTiny) / std::log(tail_);
    return std::min<int64_t>(reach_ + static_cast<int64_t>(std::min(steps, 1e9)) + 1,
                             std::max(kMostMargin, reach_));
  }

 private:
  int64_t reach_;
  double tail_;
  std::vector<double> shares_, sums_;
};

}  // namespace

std::pair<int64_t, int64_t> reach_of(const Noise& noise, double left) {
  const NoiseLaw law(noise);
  auto least = [&](auto rest) {
    int64_t low = 0, high = 1;
    while (rest(high) > left && high < kMostMargin * 1000) high *= 2;
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

int64_t widest_sum(const Noise& noise, uint64_t draws, double miss) {
  const NoiseLaw law(noise);
  // Sums beyond the window count as far out; those that come back are few.
  const int64_t wide = 300 + 2 * law.margin();
  const auto size = static_cast<size_t>(2 * wide + 1);
  auto sum_of = [&](const std::vector<double>& a, const std::vector<double>& b) {
    std::vector<double> sum(size, 0.0);
    for (int64_t x = -wide; x <= wide; ++x) {
      const double mass = a[static_cast<size_t>(x + wide)];
      if (mass < 1e-18) continue;
      for (int64_t y = std::max(-wide, -wide - x); y <= std::min(wide, wide - x); ++y)
        sum[static_cast<size_t>(x + y + wide)] += mass * b[static_cast<size_t>(y + wide)];
    }
    return sum;
  };
  std::vector<double> power(size), sum(size, 0.0);
  for (int64_t z = -wide; z <= wide; ++z) power[static_cast<size_t>(z + wide)] = law.at(z);
  sum[static_cast<size_t>(wide)] = 1;
  for (uint64_t rest = draws; rest > 0; rest >>= 1) {
    if (rest & 1) sum = sum_of(sum, power);
    if (rest > 1) power = sum_of(power, power);
  }
  double inside = sum[static_cast<size_t>(wide)];
  int64_t t = 0;
  while (inside < 1 - miss && t < wide) {
    ++t;
    inside += sum[static_cast<size_t>(wide + t)] + sum[static_cast<size_t>(wide - t)];
  }
  return t;
}

Response::Response(const PublishedColumn& column, std::vector<int64_t> domain) : domain_(std::move(domain)) {
  if (const Channel* channel = std::get_if<Channel>(&column.mechanism)) {
    fill_channel(*channel);
  } else {
    fill_noise(std::get<Noise>(column.mechanism), column);
  }
}

void Response::fill_noise(const Noise& noise, const PublishedColumn& column) {
  const NoiseLaw law(noise);
  row_first_ = column.bounds ? column.bounds->first : domain_.front() - law.margin();
  const int64_t row_last = column.bounds ? column.bounds->second : domain_.back() + law.margin();
  table_.resize(row_last - row_first_ + 1, static_cast<Eigen::Index>(domain_.size()));
  for (Eigen::Index k = 0; k < table_.cols(); ++k) {
    const int64_t x = domain_[static_cast<size_t>(k)];
    for (Eigen::Index row = 0; row < table_.rows(); ++row) table_(row, k) = law.at(row_first_ + row - x);
    table_(0, k) = law.at_most(row_first_ - x);
    table_(table_.rows() - 1, k) = row_first_ == row_last ? 1 : law.at_least(row_last - x);
  }
}

void Response::fill_channel(const Channel& channel) {
  outputs_ = channel.outputs;
  table_.resize(static_cast<Eigen::Index>(outputs_.size()), static_cast<Eigen::Index>(domain_.size()));
  for (Eigen::Index k = 0; k < table_.cols(); ++k) {
    const auto row = static_cast<size_t>(
        std::lower_bound(channel.inputs.begin(), channel.inputs.end(), domain_[static_cast<size_t>(k)]) -
        channel.inputs.begin());
    const Rational total(channel.row_total(row));
    for (size_t y = 0; y < outputs_.size(); ++y)
      table_(static_cast<Eigen::Index>(y), k) =
          static_cast<double>(Rational(channel.weights[row][y]) / total);
  }
}

size_t Response::row_of(int64_t released) const {
  if (!outputs_.empty()) {
    return static_cast<size_t>(std::lower_bound(outputs_.begin(), outputs_.end(), released) -
                               outputs_.begin());
  }
  return static_cast<size_t>(std::clamp<int64_t>(released - row_first_, 0, table_.rows() - 1));
}

}  // namespace fugu
