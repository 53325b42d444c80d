// Sums over every output of what it says about the secret, bounded (docs/math.md, section 19).
//
// Each is a sum of G(P(y|s), s = 1 …) over the outputs y, with a G that is convex and grows in proportion.
// So outputs that are taken together give no more, and an output that is made of others gives no more than
// these do: between two outputs of noise only the tails reach, P(y|.) there is a mixture of that at both, and
// a gap of L steps lies between c G(P + P') and c (G(P) + G(P')), c = (r - r^L) / ((1 - r)(1 + r^L)).
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "fugu/core/interval.h"
#include "fugu/law/claim.h"
#include "fugu/proof/kernel.h"

namespace fugu::inline in_plan {

struct LeakSums {
  Interval guessed;    // sum_y max_s share(s) P(y|s)
  Interval most;       // sum_y max_s P(y|s)
  Interval told;       // sum_y sum_s share(s) P(y|s) log(P(y|s) / P(y)), nats
  bool moved = false;  // the best guess is perhaps another one than without any output
  LeakSums& operator+=(const LeakSums& other);
  LeakSums& operator*=(const Interval& factor);
};

// Of people with these shares of the secrets, under one prior.
class Leaks {
 public:
  // `likeliest` is the secret with the largest share. `logarithms`: without them what is told is left at 0.
  Leaks(std::vector<Interval> shares, size_t likeliest, bool logarithms);

  // At one output: by secret.
  LeakSums at(const std::vector<Interval>& masses) const;

  // Over the outputs of a channel or a swap.
  LeakSums over(const Kernel& kernel, const Prior& prior) const;
  // Over the whole lattice; with a range, of results that are set to its ends beyond these.
  LeakSums over_noise(const Kernel& kernel, const Prior& prior,
                      const std::optional<std::pair<int64_t, int64_t>>& range) const;
  // Over the whole lattices of several columns with Laplace noise: upper bounds, and 0.
  LeakSums over_grid(const Claim& claim, const Prior& prior, const JointBounds& bounds) const;

 private:
  using BySecret = std::vector<Interval>;
  std::vector<BySecret> masses_of(const Kernel& kernel, const Prior& prior) const;
  LeakSums gap(const BySecret& left, const BySecret& right, uint64_t steps, const Interval& tail,
               size_t& splits) const;

  std::vector<Interval> shares_;
  size_t likeliest_;  // secret
  bool logarithms_;
  Bits bits_;
};

}  // namespace fugu::inline in_plan
