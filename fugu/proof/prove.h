// Whether a mechanism keeps a claim: the decision on privacy, and nothing else.
//
// It looks at the claim's laws and the mechanism's integers, computes the loss (or, with delta, the
// hockey-stick) with interval arithmetic, and raises the precision until it is decided.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fugu/core/progress.h"
#include "fugu/law/boxes.h"
#include "fugu/law/claim.h"
#include "fugu/mechanism/mechanism.h"

namespace fugu::inline in_proof {

// Where the privacy loss is largest, and a proved upper bound: of the loss when delta is 0, else of the
// hockey-stick.
struct Witness {
  std::string prior;
  std::pair<std::string, std::string> pair;  // where the promise is in belief one is kMixture
  int64_t output = 0;               // lattice index; with delta, where the first secret's mass exceeds most
  std::optional<double> loss;       // rounded up; at most epsilon, or the budget of that pair
  std::optional<double> delta;      // rounded up; at most delta
  std::vector<int64_t> point = {};  // of several columns, in place of the output: one index for each
  friend bool operator==(const Witness&, const Witness&) = default;
};

// Whether the mechanism attains (epsilon, delta), and where it is tightest.
struct Proof {
  bool holds = false;
  bool infinite = false;  // the loss: an output is possible under one secret only
  Witness witness;        // its bound is at most epsilon (or delta) when the proof holds
  bool bounded = false;   // by how far apart values lie: the outputs are too many to look at each
};

// With dyadic noise or a channel of integers, and exact masses, loss = epsilon and H = delta can only be
// equal where both are compared exactly (docs/math.md, section 5), so enough bits always decide. Error
// (guarantee) if even 2^16 bits do not, or when a channel lacks a row, or a swap a place, for a value. Masses
// that are known within a blur: whether it is attained by every true law within it, and what cannot be told
// is a no. `boxed`: there exactly if the claim has boxes.
//
// Of several columns whose grid is too large (proof/grid_kernel.h) the loss is bounded by how far apart the
// values lie (proof/distance_bounds.h); what that does not prove is a no.
Proof prove(const Claim& claim, const std::optional<BoxedLaws>& boxed, const Mechanism& mechanism,
            const Progress& progress = {});

// Rounding a proved bound up to a double may step over the limit; what is proved is that it does not exceed
// it. A limit that is a decimal is written as itself; another, such as 1/3, as the next double above.
double at_most(double bound, const Rational& limit);

}  // namespace fugu::inline in_proof
