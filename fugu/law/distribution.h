// A distribution on the lattice: P(X|S=s) under one prior (docs/math.md, section 0). Its masses are exact, or
// known within a relative error, the blur.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fugu/core/number.h"
#include "fugu/law/weights.h"

namespace fugu::inline in_law {

// Atoms are lattice indices, strictly increasing; each has positive mass weight/total. With a blur b these
// masses are nominal: every true mass lies within a factor [1 - b, 1 + b] of its nominal one. Which atoms
// there are is exact all the same.
class Distribution {
 public:
  // Sorts, adds up repeated atoms, drops zero masses.
  // Preconditions: no mass is negative and not all are zero.
  static Distribution from_masses(const std::vector<int64_t>& atoms, const std::vector<Rational>& masses);
  // The same for counts. Preconditions: atoms strictly increasing, not all counts zero.
  static Distribution from_counts(std::vector<int64_t> atoms, std::vector<uint64_t> counts);
  // Masses that a model computed: true masses sum to 1, and each is within a factor [1 - relative,
  // 1 + relative] of its nominal one. What dividing by the nominal sum adds is in the blur, rounded up.
  // Preconditions: atoms strictly increasing, as many masses. Error (data) when a mass may be zero, or when
  // no masses within these bounds sum to 1.
  static Distribution from_bounds(const std::vector<int64_t>& atoms, const std::vector<Rational>& nominal,
                                  const Rational& relative);

  size_t size() const { return atoms_.size(); }
  std::span<const int64_t> atoms() const { return atoms_; }
  const Weights& weights() const { return weights_; }
  const Integer& total() const { return weights_.total(); }
  Rational mass(size_t k) const { return Rational(weights_.at(k), total()); }
  // 0 where the masses are exact, else below 1.
  const Rational& blur() const { return blur_; }
  // The masses as doubles, each within one rounding of the truth.
  std::vector<double> approximate_masses() const;

  friend bool operator==(const Distribution&, const Distribution&) = default;

 private:
  Distribution(std::vector<int64_t> atoms, Weights weights, Rational blur = Rational(0))
      : atoms_(std::move(atoms)), weights_(std::move(weights)), blur_(std::move(blur)) {}

  std::vector<int64_t> atoms_;
  Weights weights_;
  Rational blur_;
};

// Every lattice index that has mass under some of the distributions, increasing.
std::vector<int64_t> union_support(std::span<const Distribution> distributions);

}  // namespace fugu::inline in_law
