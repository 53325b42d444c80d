// The transport plan between two distributions and what it says: W_1, W_inf, the mass beyond each distance.
//
// The monotone coupling minimises, over all couplings, the largest distance on its support (docs/math.md,
// section 1), so W_inf read off it is exact. Distances are in lattice steps.
#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include "fugu/core/large_vector.h"
#include "fugu/law/distribution.h"

namespace fugu::inline in_transport {

// One cell: mass moved from the from-th atom of the first distribution to the to-th of the second.
struct Cell {
  uint32_t from;
  uint32_t to;
  friend bool operator==(const Cell&, const Cell&) = default;
};

// Masses are integers over `denominator`, cell by cell: in 64 bits where it is below 2^64, in 128 where both
// totals are below 2^63, GMP integers beyond. Precondition: at most 2^32 atoms a side.
struct Coupling {
  LargeVector<Cell> cells;
  std::variant<LargeVector<uint64_t>, LargeVector<Wide>, std::vector<Integer>> masses;
  Integer denominator;

  Integer numerator(size_t k) const;
  Rational mass(size_t k) const { return Rational(numerator(k), denominator); }
  // The masses as doubles, each within a few roundings of the truth.
  std::vector<double> approximate_masses() const;
};

Coupling monotone_coupling(const Distribution& from, const Distribution& to);

// The largest distance that any mass has to travel, in steps.
int64_t w_inf(const Distribution& from, const Distribution& to);

// The mean distance, in steps.
Rational w_1(const Distribution& from, const Distribution& to);

// The mass that travels further than `distance`, for each that occurs, increasing; the last has none beyond.
struct ProfilePoint {
  int64_t distance;
  Rational mass_beyond;
};
std::vector<ProfilePoint> distance_profile(const Distribution& from, const Distribution& to);

// The least distance beyond which the plan moves at most `spare` mass: W_inf when nothing is spared.
int64_t farthest_kept(const Distribution& from, const Distribution& to, const Rational& spare);

}  // namespace fugu::inline in_transport
