#include "fugu/core/lattice.h"

#include <fmt/format.h>

#include <algorithm>

#include "fugu/core/error.h"

namespace fugu::inline in_core {
namespace {

// Without a copy of the denominator.
bool is_whole(const Rational& value) { return mpz_cmp_ui(mpq_denref(value.backend().data()), 1) == 0; }

std::optional<int64_t> as_index(const Integer& index) {
  static const Integer kLimit = Integer(1) << 62;
  if (abs(index) > kLimit) return std::nullopt;
  return static_cast<int64_t>(index);
}

}  // namespace

std::optional<int64_t> Lattice::index(const Rational& value) const {
  if (is_whole(value) && step == 1 && origin == 0) return as_index(numerator(value));
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
    if (step == 1 && is_whole(value) && is_whole(first)) continue;  // a multiple of it
    const Rational difference(abs(value - first));
    if (difference != 0) step = step == 0 ? difference : greatest_common_step(step, difference);
  }
  if (step == 0) step = Rational(1, denominator(first));
  const Lattice lattice{step, first - step * Rational(floor(Rational(first / step)))};
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
                "the values span more than 2^40 steps of their lattice: some lie very far out",
                "give a coarser --step, for example --step 1000");
  }
  throw Error(ErrorKind::kData,
              "the values' common step is absurdly fine: they span more than 2^40 such steps",
              "give the resolution you need with --step, for example --step 0.01");
}

}  // namespace fugu::inline in_core
