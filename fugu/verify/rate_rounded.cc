#include "fugu/verify/rate_rounded.h"

namespace fugu::inline in_verify {

std::vector<double> with_laplace(std::span<const double> cells, size_t offset, size_t width, double ratio,
                                 double norm) {
  auto cell = [&](size_t k) { return k < offset || k >= offset + cells.size() ? 0.0 : cells[k - offset]; };
  std::vector<double> result(width);
  double carried = 0;
  for (size_t k = 0; k < width; ++k) result[k] = carried = carried * ratio + cell(k);
  carried = 0;
  for (size_t k = width; k-- > 0;) {
    result[k] = (result[k] + carried) * norm;
    carried = (carried + cell(k)) * ratio;
  }
  return result;
}

}  // namespace fugu::inline in_verify
