#include "fugu/compose/gaussian_sum.h"

#include <algorithm>
#include <numeric>

#include "fugu/core/interval.h"
#include "fugu/verify/rounding.h"
#include "fugu/verify/sum_rounded.h"

namespace fugu::inline in_compose {
namespace {

constexpr Bits kSumBits = 256;            // the weights have 64 bits at their least
constexpr double kMostSumProducts = 4e9;  // a second or two
constexpr double kMostOff = 1e-9;

// e^(-z^2 / 2 sigma^2) for 0 <= z <= reach, as bounds; and between which factors the noise is of it.
struct Shape {
  std::vector<double> high, low;
  Interval most{kSumBits}, least{kSumBits};
};

std::optional<Shape> shape_of(const Noise& noise, const Lattice& lattice, int64_t reach) {
  if (!noise.scale || noise.scale->value <= 0 || reach > noise.reach() || !noise.is_symmetric())
    return std::nullopt;
  const Rational sigma(exact(noise.scale->value) / lattice.step), rate(1 / (2 * sigma * sigma));
  const Interval total(total_weight(noise), kSumBits);
  Shape shape;
  for (int64_t z = 0; z <= reach; ++z) {
    const Interval ideal = exp(Interval(Rational(-rate * z * z), kSumBits));
    shape.high.push_back(ideal.upper());
    shape.low.push_back(ideal.lower());
    const Interval factor =
        Interval(noise.weights[static_cast<size_t>(noise.reach() + z)], kSumBits) / total / ideal;
    if (z == 0 || upper_less(shape.most, factor)) shape.most = factor;
    if (z == 0 || lower_less(factor, shape.least)) shape.least = factor;
  }
  const Interval one(Integer(1), kSumBits);
  if (!((shape.most / shape.least - one).upper() <= kMostOff)) return std::nullopt;
  return shape;
}

std::vector<double> convolved_with(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<size_t> offsets(b.size());
  std::iota(offsets.begin(), offsets.end(), size_t{0});
  return convolved(a, offsets, b);
}

// The masses of the sum, in whichever way the thread rounds.
std::vector<double> repeated_sum(std::vector<double> cells, size_t number) {
  std::vector<double> sum;
  for (;; number /= 2) {
    if (number % 2 == 1) sum = sum.empty() ? cells : convolved_with(sum, cells);
    if (number == 1) return sum;
    cells = convolved_with(cells, cells);
  }
}

}  // namespace

std::optional<RowBounds> gaussian_sum_rows(const Noise& noise, const Lattice& lattice,
                                           const std::vector<int64_t>& atoms, int64_t width, size_t number) {
  const int64_t low = atoms.front() - width, high = atoms.back() + width;
  const auto span = static_cast<double>(high - low + 1), copies = static_cast<double>(number);
  if (span * span * copies * copies * static_cast<double>(atoms.size()) > kMostSumProducts)
    return std::nullopt;
  const auto shape = shape_of(noise, lattice, high - low - width);
  if (!shape) return std::nullopt;
  const double most = pow(shape->most, number).upper(), least = pow(shape->least, number).lower();
  RowBounds rows;
  auto sums = [&](const std::vector<double>& masses, double factor, Toward toward, OutputRows& out) {
    const Rounding rounding(toward);
    for (size_t x = 0; x < atoms.size(); ++x) {
      std::vector<double> cells;
      for (int64_t y = low; y <= high; ++y) {
        const int64_t far = y < atoms[x] ? atoms[x] - y : y - atoms[x];
        cells.push_back(masses[static_cast<size_t>(far)]);
      }
      cells = repeated_sum(std::move(cells), number);
      out.resize(cells.size(), std::vector<double>(atoms.size()));
      for (size_t y = 0; y < cells.size(); ++y) out[y][x] = rounded_product(cells[y], factor);
    }
  };
  sums(shape->high, most, Toward::kUp, rows.high);
  sums(shape->low, least, Toward::kDown, rows.low);
  return rows;
}

}  // namespace fugu::inline in_compose
