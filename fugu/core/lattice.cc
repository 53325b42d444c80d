#include "fugu/core/lattice.h"

#include <fmt/format.h>

#include <algorithm>

#include "fugu/core/error.h"

namespace fugu::inline in_core {
namespace {

std::optional<int64_t> as_index(const Integer& index) {
  static const Integer kLimit = Integer(1) << 62;
  if (abs(index) > kLimit) return std::nullopt;
  return static_cast<int64_t>(index);
}

}  // namespace

std::optional<int64_t> Lattice::index(const Rational& value) const {
  Rational steps = (value - origin) / step;
  if (denominator(steps) != 1) return std::nullopt;
  return as_index(numerator(steps));
}

std::optional<int64_t> Lattice::nearest(const Rational& value) const {
  return as_index(round_half_up(Rational((value - origin) / step)));
}

Rational greatest_common_step(const Rational& a, const Rational& b) {
  Integer common = lcm(denominator(a), denominator(b));
  Integer x = numerator(a) * (common / denominator(a));
  Integer y = numerator(b) * (common / denominator(b));
  return Rational(gcd(x, y), common);
}

Lattice coarsest_lattice(std::span<const Rational> values) {
  const Rational& first = values.front();
  Rational step(0);
  for (const Rational& value : values) {
    Rational difference = value - first;
    if (difference < 0) difference = -difference;
    if (difference != 0) step = step == 0 ? difference : greatest_common_step(step, difference);
  }
  if (step == 0) step = Rational(1, denominator(first));
  Lattice lattice{step, Rational(0)};
  lattice.origin = first - step * Rational(floor(Rational(first / step)));
  check_span(lattice, values);
  return lattice;
}

void check_span(const Lattice& lattice, std::span<const Rational> values, bool step_given) {
  auto [low, high] = std::minmax_element(values.begin(), values.end());
  if ((*high - *low) / lattice.step <= Rational(kMaxSpan)) return;
  if (step_given) {
    throw Error(ErrorKind::kUsage,
                fmt::format("--step: the values span more than 2^40 steps of {}", short_text(lattice.step)),
                "give a coarser step");
  }
  auto finest = std::max_element(values.begin(), values.end(), [](const Rational& a, const Rational& b) {
    return denominator(a) < denominator(b);
  });
  // Where none has finer digits than the others, the one that lies farthest out is the cause.
  const bool far = denominator(*finest) == denominator(*low) && denominator(*finest) == denominator(*high);
  if (far) {
    throw Error(ErrorKind::kData,
                fmt::format("the values span more than 2^40 steps of {}: some lie very far out",
                            short_text(lattice.step)),
                "give --step with a coarser resolution, for example --step 1000");
  }
  throw Error(
      ErrorKind::kData,
      fmt::format("the values have no common step that is not absurdly fine: the span is more than 2^40 "
                  "steps of {}",
                  short_text(lattice.step)),
      "give --step with the resolution that you mean, for example --step 0.01");
}

}  // namespace fugu::inline in_core
