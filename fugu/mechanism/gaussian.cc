#include "fugu/mechanism/gaussian.h"

#include <cmath>

#include "fugu/core/search.h"

namespace fugu::inline in_mechanism {
namespace {

constexpr Bits kBits = 256;

Interval number(const Rational& value, Bits bits = kBits) { return Interval(value, bits); }

// Phi(x) = erfc(-x / sqrt 2) / 2: relative accuracy in the lower tail.
Interval normal_cdf(const Interval& x) {
  const Bits bits = x.precision();
  const Interval two = number(Rational(2), bits);
  return erfc((Interval(bits) - x) / sqrt(two)) / two;
}

}  // namespace

Interval Gaussian::log_weight(const Rational& distance, Scale sigma, Bits precision) const {
  const Rational ratio = distance / exact(sigma.value);
  return Interval(Rational(-ratio * ratio / 2), precision);
}

Interval Gaussian::hockey_stick(const Rational& distance, Scale sigma, const Rational& epsilon,
                                Bits precision) {
  const Rational half = distance / (2 * exact(sigma.value)), shift = epsilon * exact(sigma.value) / distance;
  return normal_cdf(Interval(Rational(half - shift), precision)) -
         exp(Interval(epsilon, precision)) * normal_cdf(Interval(Rational(-half - shift), precision));
}

Scale Gaussian::scale_for(const Rational& distance, const Rational& epsilon, const Rational& delta) const {
  if (distance == 0) return Scale{0};
  const double far = static_cast<double>(distance);
  auto accept = [&](double sigma) {
    auto decision = decide_with_more_bits(
        [&](Bits bits) -> std::optional<bool> {
          const Interval value = hockey_stick(distance, Scale{sigma}, epsilon, bits), limit(delta, bits);
          if (certainly_at_most(value, limit)) return true;
          if (certainly_less(limit, value)) return false;
          return std::nullopt;
        },
        128, 4096);
    return decision.value_or(false);
  };
  double known = far;
  while (!accept(known)) known *= 2;
  return Scale{smallest_accepted(accept, known / 2, known)};
}

int64_t Gaussian::reach(Scale sigma, const Lattice& lattice, int64_t, const Rational& delta) const {
  // Out to weights of 2^-80 of the middle one, and further for smaller deltas than that serves.
  const double bits = delta == 0 ? 80 : std::max(80.0, 40 - std::log2(static_cast<double>(delta)));
  const double steps = sigma.value / static_cast<double>(lattice.step);
  return checked_reach(std::max(1.0, std::ceil(steps * std::sqrt(2 * bits * std::log(2.0)))));
}

Scale Gaussian::theorem_3a(const Rational& distance, const Rational& epsilon, const Rational& delta) {
  const Interval logs = log(number(Rational(Rational(5, 4) / delta)));
  return Scale{(sqrt(number(Rational(2)) * logs) * number(Rational(distance / epsilon))).upper()};
}

Scale Gaussian::theorem_3b(const Rational& distance, const Rational& epsilon, const Rational& delta) {
  // k = (2/e)^(1/3) (2/pi)^(1/6) delta^(-1/3) / 2, in logarithms.
  const Interval third = number(Rational(1, 3)), two = number(Rational(2));
  const Interval exponent = third * (log(two) - number(Rational(1)) - log(number(delta))) +
                            third / two * (log(two) - log(Interval::pi(kBits)));
  const Interval k = exp(exponent) / two;
  const Interval c = k + sqrt(k * k + number(Rational(epsilon / 2)));
  return Scale{(c * number(Rational(distance / epsilon))).upper()};
}

}  // namespace fugu::inline in_mechanism
