#include "fugu/mechanism/laplace.h"

#include <cmath>

namespace fugu {

Interval Laplace::cost(const Rational& distance, Scale scale, Bits precision) const {
  return Interval(Rational(distance / exact(scale.value)), precision);
}

Scale Laplace::scale_for(const Rational& distance, const Rational& epsilon) const {
  return Scale{round_up(Rational(distance / epsilon))};
}

Interval Laplace::ratio(Scale scale, const Lattice& lattice, Bits precision) {
  return exp(Interval(Rational(-lattice.step / exact(scale.value)), precision));
}

Noise Laplace::at(Scale scale, const Lattice& lattice) const {
  Noise noise = no_noise(name());
  if (scale.value == 0) return noise;
  noise.scale = scale;
  // Rounding r up by 2^-bits moves theta by 2^-bits / (r |ln r|) of itself: keep that below 2^-60.
  const double exponent = static_cast<double>(lattice.step) / scale.value;  // |ln r|
  const double lost = exponent / std::log(2.0) - std::log2(exponent);        // -log2(r |ln r|)
  noise.tail.bits = static_cast<uint64_t>(std::max(64.0, std::ceil(lost) + 62));
  noise.tail.numerator =
      ratio(scale, lattice, static_cast<Bits>(noise.tail.bits) + 64).ceil_scaled(noise.tail.bits);
  return noise;
}

}  // namespace fugu
