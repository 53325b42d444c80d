// e^x between rationals, without a floating-point number in sight.
#pragma once

#include "fugu/core/number.h"

namespace fugu::testing {

// Rational bounds of e^x for rational x, at most 2^-bits apart relative to the value: Taylor's series with
// its remainder after argument halving.
struct Bounds {
  Rational low, high;
};
inline Rational truncate(const Rational& value, unsigned bits, bool up) {
  Rational scaled = value * Rational(Integer(1) << bits);
  Integer whole = floor(scaled);
  if (up && Rational(whole) != scaled) ++whole;
  return Rational(whole, Integer(1) << bits);
}
inline Bounds exp_bounds(const Rational& x, unsigned bits = 200) {
  if (x < 0) {
    Bounds inverse = exp_bounds(Rational(-x), bits + 8);
    // Tiny values keep their relative accuracy: more bits by the size of the inverse.
    auto size = static_cast<unsigned>(msb(Integer(floor(inverse.high) + 1))) + 1;
    return {truncate(Rational(1 / inverse.high), bits + size, false),
            truncate(Rational(1 / inverse.low), bits + size, true)};
  }
  unsigned halvings = 0;
  Rational y = x;
  while (y > Rational(1, 4)) {
    y /= 2;
    ++halvings;
  }
  const unsigned work = bits + 2 * halvings + 16;
  y = truncate(y, work, false);
  const Rational slack =
      x == 0 ? Rational(0) : Rational(1, Integer(1) << (work - 1));  // for the truncated argument
  Rational term(1), sum(1);
  unsigned n = 1;
  for (; term > Rational(1, Integer(1) << work); ++n) {
    term = truncate(Rational(term * y / n), work + 8, false);
    sum += term;
  }
  Bounds result{sum, Rational(sum + Rational(n + 4, Integer(1) << work) + slack * 2)};
  for (unsigned k = 0; k < halvings; ++k) {
    result.low = truncate(Rational(result.low * result.low), work, false);
    result.high = truncate(Rational(result.high * result.high), work, true);
  }
  return result;
}

}  // namespace fugu::testing
