// Noise families: what a calibrator needs to know of one, and nothing about privacy.
//
// A family is a cost bound and the exact noise it draws at a scale: P(y - x) <= C(x - x'; scale) P(y - x') for every
// y, with log C given by cost() (docs/math.md, section 3). More noise at a larger scale: cost falls as scale grows.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "fugu/core/interval.h"
#include "fugu/core/lattice.h"
#include "fugu/mechanism/noise.h"

namespace fugu {

class NoiseFamily {
 public:
  virtual ~NoiseFamily() = default;
  virtual std::string name() const = 0;

  // log C for mass moved by `distance` > 0 in data units, as bounds and as a double.
  virtual Interval cost(const Rational& distance, Scale scale, Bits precision) const = 0;
  virtual double cost(double distance, Scale scale) const = 0;
  // The least scale, rounded up, at which that cost is at most `epsilon` (Theorem 1). 0 for distance 0.
  virtual Scale scale_for(const Rational& distance, const Rational& epsilon) const = 0;
  // The exact noise drawn at that scale; no noise at scale 0. It is never less than the ideal noise of that scale.
  virtual Noise at(Scale scale, const Lattice& lattice) const = 0;
};

// `laplace`. Error (usage) listing the families for any other name.
std::unique_ptr<NoiseFamily> family_named(std::string_view name);

}  // namespace fugu
