// The discrete Gaussian on the lattice, weights exp(-(k step)^2 / 2 sigma^2), and the conditions that
// calibrate it for (epsilon, delta) as if it were continuous (docs/math.md, section 6). What the lattice
// makes of them is the verifier's business.
#pragma once

#include "fugu/mechanism/family.h"

namespace fugu::inline in_mechanism {

class Gaussian : public NoiseFamily {
 public:
  std::string name() const override { return "gaussian"; }
  Interval log_weight(const Rational& distance, Scale sigma, Bits precision) const override;
  double log_weight(double distance, Scale sigma) const override {
    return -0.5 * (distance / sigma.value) * (distance / sigma.value);
  }
  bool has_cost_bound() const override { return false; }
  // The analytic condition: hockey_stick(distance) <= delta. Precondition: delta > 0.
  Scale scale_for(const Rational& distance, const Rational& epsilon, const Rational& delta) const override;
  int64_t reach(Scale sigma, const Lattice& lattice, int64_t farthest, const Rational& delta) const override;

  // The hockey-stick at epsilon between continuous Gaussians of this sigma, `distance` > 0 apart:
  // Phi(D/2s - eps s/D) - e^eps Phi(-D/2s - eps s/D). Falls as sigma grows.
  static Interval hockey_stick(const Rational& distance, Scale sigma, const Rational& epsilon,
                               Bits precision);

  // Theorem 3 of the paper, rounded up: (a) for epsilon <= 1, and (b) with the constant in full.
  static Scale theorem_3a(const Rational& distance, const Rational& epsilon, const Rational& delta);
  static Scale theorem_3b(const Rational& distance, const Rational& epsilon, const Rational& delta);
};

}  // namespace fugu::inline in_mechanism
