// How much rows of a table differ, column by column.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fugu::inline in_transport {

struct SimilarColumn {
  std::vector<int64_t> values;  // by row
  double weight = 1;
  bool is_number = false;  // else any two values that differ do so alike
};

// The columns' weights where rows differ; of a number the part that its difference is of the column's range.
class RowDistance {
 public:
  explicit RowDistance(const std::vector<SimilarColumn>& columns);
  double operator()(size_t x, size_t y) const;

 private:
  const std::vector<SimilarColumn>& columns_;
  std::vector<double> range_;
};

// The mean distance of the rows of class a to their nearest rows of class b, at [a * classes + b]: an
// estimate of what it costs that rows of a become rows of b. Of large classes some rows stand for all. Where
// each row is its own class, it is the distance itself.
std::vector<double> class_distances(const std::vector<SimilarColumn>& columns,
                                    const std::vector<uint32_t>& class_of_row, size_t classes);

}  // namespace fugu::inline in_transport
