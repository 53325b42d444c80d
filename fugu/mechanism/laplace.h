// Laplace on the lattice: P(k) = (1-r)/(1+r) r^|k| with r = exp(-step/theta), drawn with a dyadic r rounded up.
#pragma once

#include "fugu/mechanism/family.h"

namespace fugu {

class Laplace : public NoiseFamily {
 public:
  std::string name() const override { return "laplace"; }
  Interval cost(const Rational& distance, Scale scale, Bits precision) const override;
  double cost(double distance, Scale scale) const override { return distance / scale.value; }
  Scale scale_for(const Rational& distance, const Rational& epsilon) const override;
  Noise at(Scale scale, const Lattice& lattice) const override;

  // r = exp(-step/theta) as bounds.
  static Interval ratio(Scale scale, const Lattice& lattice, Bits precision);
};

}  // namespace fugu
