// The law of additive noise in doubles, and of the sum of many draws: for estimates, not for proofs of
// privacy.
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "fugu/estimate/deviation.h"
#include "fugu/mechanism/noise.h"

namespace fugu::inline in_estimate {

class NoiseLaw {
 public:
  explicit NoiseLaw(const Noise& noise);
  double at(int64_t z) const;
  double at_most(int64_t z) const;
  double at_least(int64_t z) const;
  // How far the noise goes to each side but for a mass of `left`, tails gathered; at most 10^9 steps.
  int64_t margin(double left) const;
  // E[e^(-t (x + z)) (x + z)^k] for k = 0 … 4; infinite where the tails outweigh e^(-t z).
  std::array<double, 5> moments(double t, double x = 0) const;

 private:
  int64_t reach_;
  double tail_;
  std::vector<double> shares_, sums_;
};

// The laws of x + z for these x; of -x - z with sign -1.
RowLaws laws_of(const NoiseLaw& law, const std::vector<double>& values, double sign);

// How many steps the noise stays within but for a mass of `left` on each side: (down, up).
std::pair<int64_t, int64_t> reach_of(const Noise& noise, double left);

// How far the sum of that many draws goes, in steps: below -down with a probability of at most `miss`, and
// above up as seldom. By the sum's own law where that is no more than 2^22 numbers, else by deviation()
// (docs/math.md, section 15).
struct SumReach {
  double down = 0, up = 0;
};
SumReach sum_reach(const Noise& noise, uint64_t draws, double miss);

}  // namespace fugu::inline in_estimate
