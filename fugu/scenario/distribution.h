// A distribution on the lattice with exact masses: P(X|S=s) under one prior (docs/math.md, section 0).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fugu/core/number.h"
#include "fugu/scenario/weights.h"

namespace fugu {

// Atoms are lattice indices, strictly increasing; each has positive mass weight/total.
class Distribution {
 public:
  // Sorts, adds up repeated atoms, drops zero masses.
  // Preconditions: no mass is negative and not all are zero.
  static Distribution from_masses(const std::vector<int64_t>& atoms, const std::vector<Rational>& masses);
  // The same for counts. Preconditions: atoms strictly increasing, not all counts zero.
  static Distribution from_counts(std::vector<int64_t> atoms, std::vector<uint64_t> counts);

  size_t size() const { return atoms_.size(); }
  std::span<const int64_t> atoms() const { return atoms_; }
  const Weights& weights() const { return weights_; }
  const Integer& total() const { return weights_.total(); }
  Rational mass(size_t k) const { return Rational(weights_.at(k), total()); }
  // The masses as doubles, each within one rounding of the truth.
  std::vector<double> approximate_masses() const;

  friend bool operator==(const Distribution&, const Distribution&) = default;

 private:
  Distribution(std::vector<int64_t> atoms, Weights weights)
      : atoms_(std::move(atoms)), weights_(std::move(weights)) {}

  std::vector<int64_t> atoms_;
  Weights weights_;
};

// Every lattice index that has mass under some of the distributions, increasing.
std::vector<int64_t> union_support(std::span<const Distribution> distributions);

}  // namespace fugu
