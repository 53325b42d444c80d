// The normal law's upper tail in exact rationals, without a floating-point number and without erfc: the power
// series near the middle, Laplace's continued fraction beyond.
#pragma once

#include "fugu/core/number.h"
#include "tests/support/exp_bounds.h"

namespace fugu::testing {

// 1/sqrt(2 pi) to 60 digits.
inline Rational inverse_root_of_two_pi() {
  return 1 / *parse_number("2.506628274631000502415765284811045253006986740609938316629923576");
}

// P(Z > x) to a relative error below 1e-30.
inline Rational normal_upper_tail(const Rational& x) {
  if (x < 0) return 1 - normal_upper_tail(Rational(-x));
  if (x < 3) {
    // 1/2 - (x - x^3/(2 3) + x^5/(2^2 2! 5) - …) / sqrt(2 pi)
    Rational term = x, sum(0);
    for (unsigned n = 0; n < 200; ++n) {
      sum += term / (2 * n + 1);
      term = truncate(Rational(term * x * x / (2 * (n + 1))), 400, false);
      term = -term;
    }
    return Rational(1, 2) - sum * inverse_root_of_two_pi();
  }
  // e^(-x^2/2) / sqrt(2 pi) / (x + 1/(x + 2/(x + …)))
  Rational fraction = x;
  for (unsigned n = 300; n > 0; --n) fraction = truncate(Rational(x + n / fraction), 400, false);
  return exp_bounds(Rational(-x * x / 2)).low * inverse_root_of_two_pi() / fraction;
}

// P(low < mean + sd Z < high)
inline Rational normal_between(const Rational& mean, const Rational& sd, const Rational& low,
                               const Rational& high) {
  const Rational a = (low - mean) / sd, b = (high - mean) / sd;
  if (b <= 0) return normal_upper_tail(Rational(-b)) - normal_upper_tail(Rational(-a));
  return normal_upper_tail(a) - normal_upper_tail(b);
}

}  // namespace fugu::testing
