// What a budget means, for people.
#include <fmt/format.h>

#include "fugu/core/interval.h"
#include "fugu/law/budget.h"

namespace fugu::inline in_law {

std::string half_becomes(const Epsilon& epsilon) {
  constexpr Bits kBits = 256;
  const Interval one(Integer(1), kBits);
  Interval odds = exp(Interval(epsilon.value(), kBits));
  Interval belief = odds / (odds + one) * Interval(Integer(100), kBits);
  // Rounded up to as many places as leave it below 100 %.
  for (int places = 1; places <= 12; ++places) {
    Integer scale = pow(Integer(10), static_cast<unsigned>(places));
    Integer tenths = (belief * Interval(scale, kBits)).ceil_scaled(0);
    if (tenths < 100 * scale) return fmt::format("becomes at most {} %", to_text(Rational(tenths, scale)));
  }
  return "may become near certainty";
}

std::string in_words(const Epsilon& epsilon) {
  return "a 50 % belief in either of two secrets " + half_becomes(epsilon);
}

std::string in_words(const Epsilon& epsilon, const Delta& delta) {
  if (delta.is_zero()) return in_words(epsilon);
  return fmt::format(
      "whatever is concluded is at most e^{} times as likely under one secret as under the other, plus {}",
      epsilon.text(), delta.text());
}

}  // namespace fugu::inline in_law
