#include "fugu/estimate/response.h"

#include <algorithm>

#include "fugu/estimate/noise_law.h"

namespace fugu::inline in_estimate {
namespace {

constexpr double kTiny = 1e-13;        // mass of the noise that is gathered at each end
constexpr int64_t kMostMargin = 2000;  // steps beyond the reach

}  // namespace

Response::Response(const PublishedColumn& column, std::vector<int64_t> domain) : domain_(std::move(domain)) {
  if (const Channel* channel = std::get_if<Channel>(&column.mechanism)) {
    fill_channel(*channel);
  } else {
    fill_noise(std::get<Noise>(column.mechanism), column);
  }
}

void Response::fill_noise(const Noise& noise, const PublishedColumn& column) {
  const NoiseLaw law(noise);
  const int64_t margin = std::min(law.margin(kTiny), std::max(kMostMargin, noise.reach()));
  row_first_ = column.bounds ? column.bounds->first : domain_.front() - margin;
  const int64_t row_last = column.bounds ? column.bounds->second : domain_.back() + margin;
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

}  // namespace fugu::inline in_estimate
