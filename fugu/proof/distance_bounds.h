// Bounds of the loss of Laplace noise on several columns that look at the values and not at the outputs, for
// where these are too many.
//
// Under such noise P(y|x) >= kept(x,x') P(y|x') at every output y, where kept is the product over the columns
// of tail^|x_c - x'_c|. Whatever the laws, the loss is at most that of the values farthest apart. Of laws p
// and q it is at most log sum_x p(x) / sum_x' q(x') kept(x,x'), the transfer bound with every value sent to
// every other in proportion to q(x') kept(x,x'); where values are few enough also with nearer values
// preferred, and what comes to each evened out (docs/math.md, section 18).
#pragma once

#include <cstddef>
#include <optional>

#include "fugu/core/interval.h"
#include "fugu/law/claim.h"
#include "fugu/mechanism/joint_noise.h"

namespace fugu::inline in_proof {

struct DistanceBound {
  size_t prior = 0;
  SecretPair pair = {};
  std::optional<Interval> loss = {};  // absent where it has no limit
};

// The largest over the priors, pairs and both directions. Precondition: the noise is that of the claim's
// columns, each without a table.
std::optional<DistanceBound> range_bound(const Claim& claim, const JointNoise& noise, Bits bits);
// Nullopt where there are too many values to look at each two of them.
std::optional<DistanceBound> mean_bound(const Claim& claim, const JointNoise& noise, Bits bits);
bool has_mean_bound(const Claim& claim);
// Whether there are so few values that they are balanced, and how often.
bool balances(const Claim& claim);
inline constexpr int kBalances = 5;

}  // namespace fugu::inline in_proof
