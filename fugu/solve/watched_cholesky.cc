#include "fugu/solve/watched_cholesky.h"

#include <ClpInterior.hpp>
#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

namespace fugu::inline in_solve {
namespace {

constexpr double kMostEntries = 2e9;  // CLP counts them in an int
constexpr int kRowsBetweenLooks = 256;

// Seconds, as measured on a core of 3 GHz; another may be a few times slower.
double to_order(double products, double entries) { return 2.5e-9 * products + 1e-7 * entries; }
double to_factorize_first(double products, double flops) { return 4e-9 * products + 1.1e-9 * flops; }

// Multiplications that make the matrix of the normal equations.
double products_of(const ClpInterior& model) {
  const int* lengths = model.clpMatrix()->getVectorLengths();
  double products = 0;
  for (int column = 0; column < model.numberColumns(); ++column) {
    const auto length = static_cast<double>(lengths[column]);
    products += length * length;
  }
  return products;
}

}  // namespace

Cut WatchedCholesky::cut_of_order(const ClpInterior& model) const {
  const auto rows = static_cast<double>(model.numberRows());
  const double products = products_of(model), entries = std::min(products, rows * rows) / 2;
  if (!(entries < kMostEntries)) return Cut::kSize;
  return to_order(products, entries) < deadline_.seconds_left() ? Cut::kNot : Cut::kTime;
}

// Follows the factor's columns along its elimination tree, in the order that was found: every step is one
// entry.
Cut WatchedCholesky::cut_of_factor(const ClpInterior& model) const {
  const double products = products_of(model), all = static_cast<double>(numberRows_);
  // Even if the factor were full.
  if (all * all / 2 < kMostEntries &&
      to_factorize_first(products, all * all * all / 3) < deadline_.seconds_left())
    return Cut::kNot;
  const ClpMatrixBase& matrix = *model.clpMatrix();
  const std::unique_ptr<ClpMatrixBase> by_row(matrix.reverseOrderedCopy());
  const auto count = static_cast<size_t>(numberRows_);
  std::vector<int> parent(count, -1), seen(count, -1);
  std::vector<double> entries(count, 0);  // by column of the factor
  double all_entries = 0, flops = 0;
  for (int i = 0; i < numberRows_; ++i) {
    if (i % kRowsBetweenLooks == 0) {
      if (all_entries > kMostEntries) return Cut::kSize;
      if (!go_on_() || to_factorize_first(products, flops) > deadline_.seconds_left()) return Cut::kTime;
    }
    const int row = permute_[i];
    const auto first = by_row->getVectorStarts()[row];
    for (auto k = first; k < first + by_row->getVectorLengths()[row]; ++k) {
      const int column = by_row->getIndices()[k];
      const auto start = matrix.getVectorStarts()[column];
      for (auto e = start; e < start + matrix.getVectorLengths()[column]; ++e) {
        auto at = static_cast<size_t>(permuteInverse_[matrix.getIndices()[e]]);
        while (at < static_cast<size_t>(i) && seen[at] != i) {
          seen[at] = i;
          flops += 2 * entries[at]++ + 1;
          ++all_entries;
          if (parent[at] < 0) parent[at] = i;
          at = static_cast<size_t>(parent[at]);
        }
      }
    }
  }
  if (!(all_entries < kMostEntries)) return Cut::kSize;
  return to_factorize_first(products, flops) < deadline_.seconds_left() ? Cut::kNot : Cut::kTime;
}

int WatchedCholesky::order(ClpInterior* model) {
  cut_ = go_on_() ? cut_of_order(*model) : Cut::kTime;
  if (cut_ != Cut::kNot) return -1;
  const int status = ClpCholeskyBase::order(model);
  if (status != 0) return status;
  cut_ = go_on_() ? cut_of_factor(*model) : Cut::kTime;
  return cut_ == Cut::kNot ? 0 : -1;
}

int WatchedCholesky::factorize(const CoinWorkDouble* diagonal, int* rows_dropped) {
  const double left = deadline_.seconds_left(), took = left_before_ - left;
  const bool is_last = left_before_ >= 0 && left < 2 * took;
  left_before_ = std::max(left, 0.0);
  if (is_last || !go_on_()) {
    cut_ = Cut::kTime;
    model_->setMaximumBarrierIterations(0);
  }
  return ClpCholeskyBase::factorize(diagonal, rows_dropped);
}

}  // namespace fugu::inline in_solve
