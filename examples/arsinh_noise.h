// Noise whose weight falls as exp(-eta arsinh(|z|/scale)): like Laplace near 0, like a power of |z| far out.
#pragma once

#include <cmath>

#include "fugu/mechanism/heavy.h"

namespace fugu::examples {

class ArsinhNoise : public NoiseFamily {
 public:
  explicit ArsinhNoise(Rational eta) : eta_(std::move(eta)) {}
  std::string name() const override { return "arsinh:" + to_text(eta_); }

  // The shape, as bounds and as a double: arsinh x = log(x + sqrt(x^2 + 1)).
  Interval log_weight(const Rational& distance, Scale scale, Bits precision) const override {
    const Rational x = distance / exact(scale.value);
    const Interval root = sqrt(Interval(Rational(x * x + 1), precision));
    return Interval(Rational(-eta_), precision) * log(Interval(x, precision) + root);
  }
  double log_weight(double distance, Scale scale) const override {
    return -static_cast<double>(eta_) * std::asinh(distance / scale.value);
  }

  // arsinh is concave from 0 on, so it is subadditive: the theorems serve this family.
  bool has_cost_bound() const override { return true; }

  // eta arsinh(D/scale) = epsilon, solved for the scale: D / sinh(epsilon/eta), rounded up.
  Scale scale_for(const Rational& distance, const Rational& epsilon, const Rational&) const override {
    if (distance == 0) return Scale{0};
    constexpr Bits kBits = 256;
    const Interval growth = exp(Interval(Rational(epsilon / eta_), kBits));
    const Interval sinh = (growth - Interval(Integer(1), kBits) / growth) / Interval(Integer(2), kBits);
    return Scale{(Interval(distance, kBits) / sinh).upper()};
  }

  int64_t reach(Scale scale, const Lattice& lattice, int64_t farthest, const Rational&) const override {
    return heavy_reach(scale, lattice, farthest);
  }

 private:
  Rational eta_;
};

}  // namespace fugu::examples
