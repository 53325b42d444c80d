// Bounds of the law of a sum over independent users and of noise (docs/math.md, section 12).
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "fugu/mechanism/noise.h"
#include "fugu/models/crowd.h"

namespace fugu::inline in_verify {

// The true law is the sum of two: what is seen, between low[k] and high[k] at the lattice index first + k and
// nothing elsewhere, and what is not, at most `unseen` in all, wherever it is.
struct LawBounds {
  int64_t first = 0;
  std::vector<double> low{1}, high{1};  // as many
  double unseen = 0;
  size_t places = 1;  // about how many cells are not 0: how to add it, no more
};

// One user, without copies.
LawBounds bounds_of_user(const CrowdUsers& users);
// Its tails are left out where they are below `negligible`. Error (usage) where that is too far.
LawBounds bounds_of_noise(const Noise& noise, double negligible);

// Of the sum of two independent numbers. Masses below `negligible` at either end are no longer seen. Error
// (usage) when it spreads too far.
LawBounds sum_of(LawBounds a, const LawBounds& b, double negligible);

// For each kind of user the sum over everyone but one of that kind, and of `initial`. `visit(kind, law)` is
// called from several threads at once, in no order.
void each_without_one(const Crowd& crowd, const LawBounds& initial, double negligible,
                      const std::function<void(size_t kind, const LawBounds& others)>& visit);

}  // namespace fugu::inline in_verify
