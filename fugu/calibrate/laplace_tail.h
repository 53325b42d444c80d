// The tails of the optimal noise (docs/math.md, section 7).
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdlib>

#include "fugu/mechanism/noise.h"

namespace fugu::inline in_calibrate {

// Lattice Laplace with the ratio of the tails, which the programme is scaled by: N_z = v_z Lap_z up to the
// reach, N_z = v_reach Lap_z beyond.
struct Tail {
  Dyadic dyadic;
  double ratio;
  double log_ratio;
  double laplace(int64_t z) const {
    return (1 - ratio) / (1 + ratio) * std::exp(log_ratio * static_cast<double>(std::llabs(z)));
  }
};

// Sums over k >= 0 of (from + k)^power r^k.
inline double tail_sum(double r, double from, int power) {
  const double rest = 1 - r;
  if (power == 0) return 1 / rest;
  if (power == 1) return from / rest + r / (rest * rest);
  return from * from / rest + 2 * from * r / (rest * rest) + r * (1 + r) / (rest * rest * rest);
}

}  // namespace fugu::inline in_calibrate
