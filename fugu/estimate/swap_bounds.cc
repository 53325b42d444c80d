#include "fugu/estimate/swap_bounds.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace fugu::inline in_estimate {
namespace {

constexpr double kOutward = 1 + 1e-9;  // more than the rounding of what is compared

// -log of Bennett's bound on the chance that a sum of that variance lies t or more on one side of its mean.
double bennett(double t, double variance) {
  if (t <= 0) return 0;
  if (variance <= 0) return std::numeric_limits<double>::infinity();
  const double u = t / variance;
  // Bernstein's, which is never more, where the other cancels.
  if (u < 1e-3) return t * t / (2 * (variance + t / 3));
  return variance * ((1 + u) * std::log1p(u) - u);
}

// Whether N released rows of T true ones are too unlikely. Once this holds it holds for every T further away:
// the bound falls, since the variance grows by less than 1 with T (docs/estimate.md).
bool is_refuted(uint64_t truth, uint64_t count, uint64_t among, double moved, double miss) {
  const auto off = static_cast<double>(truth > count ? truth - count : count - truth);
  const double variance = variance_of_count(static_cast<double>(truth), static_cast<double>(among), moved);
  return bennett(off, variance) > -std::log(miss) * kOutward;
}

}  // namespace

double variance_of_count(double truth, double among, double moved) {
  if (truth <= 0 || truth >= among || moved <= 0) return 0;
  const double most = truth * ((among - truth) / among), leave = moved / 2;
  return leave >= most ? most : leave * (2 - leave / most);
}

CountBounds bounds_of_count(uint64_t count, uint64_t among, double moved, double miss) {
  auto refuted = [&](uint64_t truth) { return is_refuted(truth, count, among, moved, miss); };
  CountBounds bounds;
  uint64_t kept = count, out = among + 1;  // every T from `out` on is refuted
  while (out - kept > 1) {
    const uint64_t middle = kept + (out - kept) / 2;
    (refuted(middle) ? out : kept) = middle;
  }
  bounds.high = kept;
  uint64_t low = 0, stays = count;  // every T below `low` is refuted
  while (low < stays) {
    const uint64_t middle = low + (stays - low) / 2;
    if (refuted(middle)) {
      low = middle + 1;
    } else {
      stays = middle;
    }
  }
  bounds.low = stays;
  // The variance is greatest for the T that is nearest to half of the rows.
  const double half = static_cast<double>(among) / 2;
  const double worst = std::clamp(half, static_cast<double>(bounds.low), static_cast<double>(bounds.high));
  const double variance = variance_of_count(worst, static_cast<double>(among), moved);
  bounds.standard_error = variance > 0 ? std::sqrt(variance) * kOutward : 0;
  return bounds;
}

}  // namespace fugu::inline in_estimate
