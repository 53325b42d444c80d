// Exact nonnegative integers in a row: in 64 bits where their total fits, as GMP integers where not.
//
// Counts stay counts: nothing is divided out, so the owner's numbers come back as they went in.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fugu/core/number.h"

namespace fugu::inline in_law {

class Weights {
 public:
  Weights() = default;
  explicit Weights(std::vector<uint64_t> values);
  explicit Weights(std::vector<Integer> values);
  // Nonnegative rationals, each times their least common denominator; integers stay as they are.
  static Weights in_proportion(const std::vector<Rational>& values);

  size_t size() const { return small_.empty() ? big_.size() : small_.size(); }
  Integer at(size_t k) const { return small_.empty() ? big_[k] : Integer(small_[k]); }
  const Integer& total() const { return total_; }

  // True when the total is below 2^63; then small() holds every value.
  bool is_small() const { return big_.empty(); }
  std::span<const uint64_t> small() const { return small_; }
  std::span<const Integer> big() const { return big_; }

  // For walks that start in the middle: sums()[k] is the sum of all before the (k * kStride)-th value.
  // Precondition of both: small.
  static constexpr size_t kStride = 256;
  std::span<const uint64_t> sums() const { return sums_; }
  // The value in which the unit-th unit of the total lies, and the sum before it. Precondition: unit < total.
  struct Place {
    size_t index;
    uint64_t before;
  };
  Place find(uint64_t unit) const;

  friend bool operator==(const Weights&, const Weights&) = default;

 private:
  std::vector<uint64_t> small_;
  std::vector<uint64_t> sums_;
  std::vector<Integer> big_;
  Integer total_{0};
};

}  // namespace fugu::inline in_law
