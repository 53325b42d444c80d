// Families with heavier tails than Laplace, each a concave metric of |z| and so a cost bound (docs/math.md,
// section 3).
#pragma once

#include "fugu/mechanism/family.h"

namespace fugu::inline in_mechanism {

// exp(-(|z|/theta)^P), 0.05 <= P < 1.
class PowerNoise : public NoiseFamily {
 public:
  // Error (usage) unless 0.05 <= power < 1.
  explicit PowerNoise(Rational power);
  std::string name() const override { return "power:" + to_text(power_); }
  Interval log_weight(const Rational& distance, Scale scale, Bits precision) const override;
  double log_weight(double distance, Scale scale) const override;
  bool has_cost_bound() const override { return true; }
  Scale scale_for(const Rational& distance, const Rational& epsilon, const Rational& delta) const override;
  int64_t reach(Scale scale, const Lattice& lattice, int64_t farthest, const Rational& delta) const override;

 private:
  Rational power_;
};

// (1 + |z|/c)^-ETA, 3 < ETA <= 100, so that it has a variance; the scale is c.
class LogNoise : public NoiseFamily {
 public:
  // Error (usage) unless 3 < eta <= 100.
  explicit LogNoise(Rational eta);
  std::string name() const override { return "log:" + to_text(eta_); }
  Interval log_weight(const Rational& distance, Scale scale, Bits precision) const override;
  double log_weight(double distance, Scale scale) const override;
  bool has_cost_bound() const override { return true; }
  Scale scale_for(const Rational& distance, const Rational& epsilon, const Rational& delta) const override;
  int64_t reach(Scale scale, const Lattice& lattice, int64_t farthest, const Rational& delta) const override;

 private:
  Rational eta_;
};

// A table that serves any concave shape: as far as mass travels, and some widths of the noise.
int64_t heavy_reach(Scale scale, const Lattice& lattice, int64_t farthest);

}  // namespace fugu::inline in_mechanism
