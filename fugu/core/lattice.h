// The lattice step*Z + origin on which every value, and every released value, lies (docs/math.md, section 0).
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "fugu/core/number.h"

namespace fugu::inline in_core {

// The widest span of values, in steps, that fugu works with. A finer lattice is float residue, not data.
inline constexpr int64_t kMaxSpan = int64_t{1} << 40;

struct Lattice {
  Rational step{1};    // > 0
  Rational origin{0};  // 0 <= origin < step

  Rational value(int64_t index) const { return Rational(origin + step * index); }
  // The index of a value on the lattice; nullopt when it is not on it, or too far out to hold.
  std::optional<int64_t> index(const Rational& value) const;
  // The index of the nearest lattice point, halves upward; nullopt when too far out to hold.
  std::optional<int64_t> nearest(const Rational& value) const;

  friend bool operator==(const Lattice&, const Lattice&) = default;
};

// The largest number that both are multiples of. Precondition: one of them is not 0.
Rational greatest_common_step(const Rational& a, const Rational& b);

// The coarsest lattice that holds all values: step is the greatest common divisor of their differences.
// One distinct value alone: step 1 for an integer, else the unit of its last digit.
// Error (data) when the span exceeds kMaxSpan steps.
// Precondition: values not empty.
Lattice coarsest_lattice(std::span<const Rational> values);

// Error unless the span of `values` on `lattice` is at most kMaxSpan steps: (data), or (usage) when the user
// gave the step.
void check_span(const Lattice& lattice, std::span<const Rational> values, bool step_given = false);

}  // namespace fugu::inline in_core
