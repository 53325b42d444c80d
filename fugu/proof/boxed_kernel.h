// The worst case over every law that the counts allow (docs/math.md, section 9).
//
// At an output y the mass of a secret is sum_x K(y|x) p(x), and p ranges over a box of bounds within the
// probability laws. The two secrets of a pair have boxes of their own, so the worst ratio is the most of one
// over the least of the other. Each is bounded by weak duality: with prices g the sum is
//   sum_x (K(y|x) - g(x)) p(x) + sum_x (g(x) - g(next x)) F(x) + g(last),
// F(x) the mass up to x, and every p and F is replaced by the bound that makes its term the most. Without
// bounds of F all prices are the same. Which are chosen is a guess (law/band_prices.h); the bound holds for
// any.
#pragma once

#include "fugu/proof/kernel.h"

namespace fugu::inline in_proof {

// P(outputs[k] | domain[x]), and the least and the most mass that laws within boxes give.
class BoxedKernel : public Kernel {
 public:
  // Outputs where a ratio has to be known; with `all` every lattice point between the outermost of them, so
  // that sums can be taken. Error (guarantee) when these are too many.
  BoxedKernel(const std::vector<int64_t>& domain, const MechanismBounds& mechanism, bool all);
  Masses of(const Law& law, bool with_gaps) const override;

 private:
  std::vector<std::vector<Interval>> at_;     // by output, place in the domain
  std::vector<std::vector<size_t>> falling_;  // places in the domain, by output, the largest first
};

}  // namespace fugu::inline in_proof
