#include "fugu/preview/shown_column.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace fugu::inline in_preview {
namespace {

constexpr int64_t kSingleValues = 24;  // so many lattice points have a bin each
constexpr int64_t kMostBins = 20;
constexpr double kOutside = 0.005;        // of the rows before the release, on either side
constexpr double kFarOut = 0.03;          // the same after it,
constexpr size_t kRowsLookedAt = 20'000;  // of that many rows

// The values that a part of the weight lies below, and above.
std::pair<int64_t, int64_t> middle_of(const WeightedValues& rows, double outside) {
  std::vector<size_t> order(rows.values.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return rows.values[a] < rows.values[b]; });
  const double total = std::accumulate(rows.weights.begin(), rows.weights.end(), 0.0);
  size_t low = 0, high = order.size() - 1;
  for (double sum = rows.weights[order[low]]; sum <= total * outside && low + 1 < order.size();)
    sum += rows.weights[order[++low]];
  for (double sum = rows.weights[order[high]]; sum <= total * outside && high > 0;)
    sum += rows.weights[order[--high]];
  return {rows.values[order[low]], rows.values[order[high]]};
}

int64_t floor_to(int64_t value, int64_t width) {
  return (value >= 0 ? value / width : -((-value + width - 1) / width)) * width;
}

}  // namespace

ShownColumn ShownColumn::category(std::string name, std::vector<std::string> labels, int64_t first,
                                  const WeightedValues& before) {
  ShownColumn column(std::move(name));
  column.first_ = first;
  column.groups_.resize(labels.size());
  if (labels.size() <= kMostLabels) {
    std::iota(column.groups_.begin(), column.groups_.end(), 0U);
    column.labels_ = std::move(labels);
    return column;
  }
  std::vector<double> totals(labels.size(), 0.0);
  for (size_t row = 0; row < before.values.size(); ++row)
    totals[static_cast<size_t>(before.values[row] - first)] += before.weights[row];
  std::vector<uint32_t> order(labels.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return totals[a] > totals[b]; });
  const size_t shown = kMostLabels - 1;
  std::sort(order.begin(), order.begin() + static_cast<ptrdiff_t>(shown));
  for (size_t k = 0; k < order.size(); ++k)
    column.groups_[order[k]] = static_cast<uint32_t>(std::min(k, shown));
  for (size_t k = 0; k < shown; ++k) column.labels_.push_back(std::move(labels[order[k]]));
  column.labels_.push_back(fmt::format("({} others)", labels.size() - shown));
  return column;
}

ShownColumn ShownColumn::number(std::string name, const ColumnShape& shape, const Lattice& lattice,
                                const WeightedValues& before, const WeightedValues& after) {
  ShownColumn column(std::move(name));
  column.number_ = true;
  column.shape_ = shape;
  column.lattice_ = lattice;
  column.origin_ = static_cast<double>(lattice.origin);
  column.step_ = static_cast<double>(lattice.step);
  auto [low, high] = middle_of(before, kOutside);
  const size_t some = std::min(kRowsLookedAt, after.values.size());
  const auto [after_low, after_high] =
      middle_of({after.values.first(some), after.weights.first(some)}, kFarOut);
  low = std::min(low, after_low);
  high = std::max(high, after_high);
  int64_t least = low, most = high;
  for (const WeightedValues* rows : {&before, &after}) {
    for (int64_t value : rows->values) {
      least = std::min(least, value);
      most = std::max(most, value);
    }
  }
  // A few more bins are better than two ends for a handful of rows.
  if (most - least < kSingleValues) {
    low = least;
    high = most;
  }
  column.make_bins(low, high, least, most);
  return column;
}

void ShownColumn::make_bins(int64_t low, int64_t high, int64_t least, int64_t most) {
  width_ = 1;
  if (high - low >= kSingleValues) {
    for (int64_t unit = 1; high / width_ - low / width_ >= kMostBins; unit *= 10) {
      for (int64_t step : {2, 5, 10}) {
        if (high / width_ - low / width_ >= kMostBins) width_ = unit * step;
      }
    }
  }
  low_ = floor_to(low, width_);
  high_ = floor_to(high, width_) + width_ - 1;
  below_ = least < low_;
  above_ = most > high_;
  auto written = [&](int64_t index) { return shape_.text(lattice_, index); };
  if (below_) labels_.push_back("below " + written(low_));
  for (int64_t from = low_; from <= high_; from += width_)
    labels_.push_back(width_ == 1 ? written(from)
                                  : fmt::format("{} to {}", written(from), written(from + width_ - 1)));
  if (above_) labels_.push_back("above " + written(high_));
}

size_t ShownColumn::group(int64_t value) const {
  if (!number_) {
    const int64_t last = static_cast<int64_t>(groups_.size()) - 1;
    return groups_[static_cast<size_t>(std::clamp<int64_t>(value - first_, 0, last))];
  }
  if (value < low_) return 0;
  if (value > high_) return labels_.size() - 1;
  return static_cast<size_t>((value - low_) / width_) + (below_ ? 1 : 0);
}

std::string ShownColumn::text(double number) const {
  return shape_.text(lattice_, static_cast<int64_t>(std::llround((number - origin_) / step_)));
}

Coded ShownColumn::coded(std::span<const int64_t> values) const {
  Coded result;
  if (number_) {
    for (int64_t value : values) result.numbers.push_back(number(value));
    return result;
  }
  result.groups = groups_.size();
  const int64_t last = static_cast<int64_t>(groups_.size()) - 1;
  for (int64_t value : values)
    result.codes.push_back(static_cast<uint32_t>(std::clamp<int64_t>(value - first_, 0, last)));
  return result;
}

std::vector<double> ShownColumn::shares(const WeightedValues& rows) const {
  std::vector<double> sums(labels_.size(), 0.0);
  double total = 0;
  for (size_t row = 0; row < rows.values.size(); ++row) {
    sums[group(rows.values[row])] += rows.weights[row];
    total += rows.weights[row];
  }
  for (double& sum : sums) sum /= total;
  return sums;
}

std::pair<double, double> ShownColumn::moments(const WeightedValues& rows) const {
  double total = 0, sum = 0, squares = 0;
  for (size_t row = 0; row < rows.values.size(); ++row) {
    total += rows.weights[row];
    sum += rows.weights[row] * number(rows.values[row]);
  }
  const double mean = sum / total;
  for (size_t row = 0; row < rows.values.size(); ++row)
    squares += rows.weights[row] * std::pow(number(rows.values[row]) - mean, 2);
  return {mean, std::sqrt(squares / total)};
}

}  // namespace fugu::inline in_preview
