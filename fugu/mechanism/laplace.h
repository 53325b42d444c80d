// Laplace on the lattice: P(k) = (1-r)/(1+r) r^|k| with r = exp(-step/theta), drawn with a dyadic r rounded
// up.
#pragma once

#include "fugu/mechanism/family.h"

namespace fugu::inline in_mechanism {

class Laplace : public NoiseFamily {
 public:
  std::string name() const override { return "laplace"; }
  Interval log_weight(const Rational& distance, Scale scale, Bits precision) const override {
    return Interval(Rational(-distance / exact(scale.value)), precision);
  }
  double log_weight(double distance, Scale scale) const override { return -distance / scale.value; }
  bool has_cost_bound() const override { return true; }
  Scale scale_for(const Rational& distance, const Rational& epsilon, const Rational&) const override {
    return Scale{round_up(Rational(distance / epsilon))};
  }
  int64_t reach(Scale, const Lattice&, int64_t, const Rational&) const override { return 0; }
};

}  // namespace fugu::inline in_mechanism
