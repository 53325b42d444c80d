// What it tells to exchange one value for another, by one mechanism: exact for the integers that are drawn.
//
// The bounds of docs/math.md, section 10, are built from these two numbers and from the transport plan. They
// ask nothing of how the mechanism was calibrated.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "fugu/proof/kernel.h"

namespace fugu::inline in_compose {

// The row of a value, or null where the channel has none.
const std::vector<Interval>* row_of(const ChannelBounds& channel, int64_t value);

class Exchange {
 public:
  Exchange(const Mechanism& mechanism, const Rational& epsilon, Bits precision);

  // A lower bound of P(y|to) / P(y|from) over every output y: 0 where `to` rules one of them out, or where
  // looking at all of them would take too long.
  Interval kept(int64_t from, int64_t to);

  // An upper bound of the hockey-stick at epsilon, the sum over y of [P(y|from) - e^epsilon P(y|to)]_+: 1
  // where summing it would take too long.
  Interval excess(int64_t from, int64_t to);

  // e^epsilon.
  const Interval& growth() const { return growth_; }

 private:
  using Pair = std::pair<int64_t, int64_t>;
  Pair key(int64_t from, int64_t to) const;
  bool affords(int64_t steps);
  Interval weight(const NoiseBounds& noise, int64_t z) const;
  Interval kept_by_noise(const NoiseBounds& noise, int64_t shift);
  Interval excess_of_noise(const NoiseBounds& noise, int64_t shift);

  MechanismBounds bounds_;
  Interval growth_;  // e^epsilon
  Bits bits_;
  int64_t work_ = 0;
  std::map<Pair, Interval> kept_, excess_;
};

}  // namespace fugu::inline in_compose
