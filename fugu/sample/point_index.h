// Where a value stands among some: of values close to each other without a search.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace fugu::inline in_sample {

class PointIndex {
 public:
  // Precondition: they increase, and there is one.
  explicit PointIndex(std::vector<int64_t> points) : points_(std::move(points)) {
    const auto span = static_cast<uint64_t>(points_.back()) - static_cast<uint64_t>(points_.front());
    if (span >= kDense) return;
    dense_.resize(span + 1);
    for (size_t k = 0; k < points_.size(); ++k)
      dense_[static_cast<size_t>(points_[k] - points_.front())] = static_cast<uint32_t>(k);
  }

  // Precondition: the value is one of the points.
  size_t of(int64_t value) const {
    if (!dense_.empty()) return dense_[static_cast<size_t>(value - points_.front())];
    return static_cast<size_t>(std::lower_bound(points_.begin(), points_.end(), value) - points_.begin());
  }
  int64_t operator[](size_t place) const { return points_[place]; }

 private:
  static constexpr uint64_t kDense = uint64_t{1} << 20;  // of the points' span

  std::vector<int64_t> points_;
  std::vector<uint32_t> dense_;  // by distance from the first point
};

}  // namespace fugu::inline in_sample
