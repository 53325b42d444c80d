// What the state of a Markov chain at one time says of the states before and after (docs/math.md, section
// 12).
//
// Every ratio here is an upper bound: powers of the matrix are computed twice, rounded down and up, and a
// ratio is one of an upper over a lower bound, rounded up. A probability is 0 exactly where its upper bound
// is.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "fugu/models/chain.h"
#include "fugu/verify/power_rounded.h"

namespace fugu::inline in_verify {

struct DoubleBounds {
  Doubles low, high;
};

// The powers of a chain's matrix, as far as they are asked for, and the ratios in those that are asked for.
class PowerRatios {
 public:
  explicit PowerRatios(const MarkovChain& chain);

  size_t states() const { return visited_.size(); }
  // The longest step that is looked at: the powers must fit into memory.
  uint64_t farthest() const;

  // [x * states + y]: the largest P^steps(u,x) / P^steps(u,y) over states u that the chain ever visits, and
  // P^steps(x,v) / P^steps(y,v) over v. Precondition: 1 <= steps <= farthest(). The table stays where it is.
  const double* before(uint64_t steps);
  const double* after(uint64_t steps);

 private:
  const DoubleBounds& power(uint64_t steps);

  std::vector<bool> visited_;
  std::vector<DoubleBounds> powers_;            // to 1, 2, 3, …
  std::map<uint64_t, Doubles> before_, after_;  // by steps
};

// The same for all states at once, from few powers: what the method quilt-approx needs.
class MixingBounds {
 public:
  MixingBounds(const MarkovChain& chain, uint64_t length);
  // P^steps(x,v) / P^steps(y,v) - 1 for any x, y and v, about and as an upper bound; may be infinite.
  // Precondition: 1 <= steps <= length.
  double spread_about(uint64_t steps) const;
  double spread(uint64_t steps) const;

 private:
  Doubles spreads_, variations_;  // of the matrix to 1, 2, 4, …
};

// Times with one law of the state, or with laws within one bound.
struct AlikeTimes {
  uint64_t first = 1, last = 1;
  std::vector<size_t> secrets;  // the states that occur there
  Doubles odds;                 // [x * states + y]: at least P(X_i = y) / P(X_i = x), for x and y that occur
};

// The law of the state from time to time.
class StateLaws {
 public:
  StateLaws(const MarkovChain& chain, uint64_t length);

  // Times that share one bound: all of them when the chain is stationary; else, where the law stays next to
  // the stationary one, all from then on.
  const std::optional<AlikeTimes>& settled() const { return settled_; }
  // Calls visit(const AlikeTimes&) for each of the other times, in order.
  template <class Visit>
  void each_unsettled(Visit visit) const {
    const uint64_t end = settled_ ? settled_->first : length_ + 1;
    DoubleBounds law = start_;
    for (uint64_t time = 1; time < end; ++time) {
      if (time > 1) step(law);
      visit(alike(law, time, time));
    }
  }

 private:
  void step(DoubleBounds& law) const;
  static AlikeTimes alike(const DoubleBounds& law, uint64_t first, uint64_t last);
  void find_settled(const MarkovChain& chain);

  uint64_t length_;
  DoubleBounds start_, matrix_;
  std::optional<AlikeTimes> settled_;
};

}  // namespace fugu::inline in_verify
