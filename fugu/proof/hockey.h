// The hockey-stick H = sum over y of [P(y|s_i) - e^epsilon P(y|s_j)]_+, bounded: (epsilon, delta) holds when
// H <= delta for every prior and pair, both ways (docs/math.md, sections 0 and 5).
#pragma once

#include <cstdint>
#include <optional>

#include "fugu/core/progress.h"
#include "fugu/proof/kernel.h"

namespace fugu::inline in_proof {

struct HockeyPeak {
  size_t prior = 0;
  SecretPair pair{0, 1};        // in the order in which H is largest: first over second
  int64_t output = 0;           // where the first secret's mass exceeds most
  double lower = 0, upper = 0;  // bounds of H, rounded outward
};

struct HockeyBounds {
  HockeyPeak peak;            // where H is largest; where it is certainly above delta, if anywhere
  std::optional<bool> holds;  // whether H <= delta everywhere; absent when this precision cannot tell
};

// `exact` is the mechanism when it is exact integers, else null: H can equal delta only where the second
// secret rules the outputs out, which needs a channel or a noise without tails, and then H is a sum of
// rationals that is compared exactly. Where masses are known within a blur, bounds and answer hold for every
// true law within it. With `boxed`, H of the most of one against the least of the other at every output: an
// upper bound of the worst over the boxes.
HockeyBounds bound_hockey(const Claim& claim, const BoxedLaws* boxed, const MechanismBounds& mechanism,
                          const Mechanism* exact, Bits precision, const Progress& progress = {});

}  // namespace fugu::inline in_proof
