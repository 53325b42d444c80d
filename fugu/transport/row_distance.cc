#include "fugu/transport/row_distance.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace fugu::inline in_transport {
namespace {

constexpr size_t kRowsThatGo = 8, kRowsThatCome = 64;  // of a class, at most, in an estimate

// At most `most` of them, evenly spread.
std::vector<uint32_t> some_of(const std::vector<uint32_t>& rows, size_t most) {
  if (rows.size() <= most) return rows;
  std::vector<uint32_t> result;
  for (size_t k = 0; k < most; ++k) result.push_back(rows[k * rows.size() / most]);
  return result;
}

}  // namespace

RowDistance::RowDistance(const std::vector<SimilarColumn>& columns) : columns_(columns) {
  for (const SimilarColumn& column : columns) {
    double range = 0;
    if (column.is_number && !column.values.empty()) {
      const auto [low, high] = std::minmax_element(column.values.begin(), column.values.end());
      range = static_cast<double>(*high) - static_cast<double>(*low);
    }
    range_.push_back(range);
  }
}

double RowDistance::operator()(size_t x, size_t y) const {
  double sum = 0;
  for (size_t j = 0; j < columns_.size(); ++j) {
    const SimilarColumn& column = columns_[j];
    const int64_t a = column.values[x], b = column.values[y];
    if (a == b) continue;
    sum += column.is_number
               ? column.weight * std::fabs(static_cast<double>(a) - static_cast<double>(b)) / range_[j]
               : column.weight;
  }
  return sum;
}

std::vector<double> class_distances(const std::vector<SimilarColumn>& columns,
                                    const std::vector<uint32_t>& class_of_row, size_t classes) {
  std::vector<std::vector<uint32_t>> rows(classes);
  for (size_t i = 0; i < class_of_row.size(); ++i) rows[class_of_row[i]].push_back(static_cast<uint32_t>(i));
  std::vector<std::vector<uint32_t>> going, coming;
  for (const auto& members : rows) {
    going.push_back(some_of(members, kRowsThatGo));
    coming.push_back(some_of(members, kRowsThatCome));
  }
  const RowDistance distance(columns);
  std::vector<double> result(classes * classes, 0);
  for (size_t a = 0; a < classes; ++a) {
    for (size_t b = 0; b < classes; ++b) {
      if (a == b || going[a].empty() || coming[b].empty()) continue;
      double sum = 0;
      for (uint32_t x : going[a]) {
        double nearest = std::numeric_limits<double>::infinity();
        for (uint32_t y : coming[b]) nearest = std::min(nearest, distance(x, y));
        sum += nearest;
      }
      result[a * classes + b] = sum / static_cast<double>(going[a].size());
    }
  }
  return result;
}

}  // namespace fugu::inline in_transport
