#include "fugu/sample/point_index.h"

#include <gtest/gtest.h>

namespace fugu {
namespace {

TEST(PointIndex, FindsNearAndFarPoints) {
  for (const std::vector<int64_t>& points :
       {std::vector<int64_t>{7}, {-3, -2, 5}, {0, 1, int64_t{1} << 20}, {INT64_MIN, -1, 4, INT64_MAX}}) {
    const PointIndex index(points);
    for (size_t k = 0; k < points.size(); ++k) {
      EXPECT_EQ(index.of(points[k]), k);
      EXPECT_EQ(index[k], points[k]);
    }
  }
}

}  // namespace
}  // namespace fugu
