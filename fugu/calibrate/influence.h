// What the state of a Markov chain at one time says of the states before and after (docs/math.md, section
// 12).
//
// Everything here is a bound of a ratio of probabilities, in doubles, never below the truth: a power of a
// matrix of probabilities is a sum of products of positive numbers, so its relative error grows only with the
// number of operations, and that is added. Which probabilities are zero is decided in bits, not in doubles.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "fugu/models/chain.h"

namespace fugu::inline in_calibrate {

using StateSet = uint64_t;  // bit x is state x; a chain has at most 50

// Times with one law of the state, or with laws within one bound.
struct TimesAlike {
  uint64_t first = 1, last = 1;
  StateSet secrets = 0;      // the states that occur there
  std::vector<double> odds;  // [x * states + y]: at least P(X_i = y) / P(X_i = x), for x and y that occur
};

// The powers of a chain's matrix, as far as they are asked for, and what those that are asked for tell.
class Influence {
 public:
  explicit Influence(const MarkovChain& chain);

  size_t states() const { return states_; }
  // The longest step that is looked at: the powers must fit into memory.
  uint64_t farthest() const;

  // [x * states + y] is at least the largest P^a(u,x) / P^a(u,y) over states u, and P^b(x,v) / P^b(y,v) over
  // v. States that the chain never visits are left out. Precondition: 1 <= steps <= farthest(). The table
  // stays where it is.
  const double* before(uint64_t steps) { return tables(steps).before.data(); }
  const double* after(uint64_t steps) { return tables(steps).after.data(); }

 private:
  // A search asks for few of the powers that it passes, and their ratios take longer than they do.
  struct Tables {
    std::vector<double> before, after;
  };
  const Tables& tables(uint64_t steps);
  void multiply();

  size_t states_;
  StateSet visited_ = 0;
  std::vector<double> matrix_, powers_;   // the power to k + 1 from k * states^2 on
  std::vector<StateSet> next_, reached_;  // where row x of the matrix (of each power) is positive
  std::unordered_map<uint64_t, Tables> tables_;
};

// The same for all states at once, from few powers: what the method quilt-approx needs.
class InfluenceBound {
 public:
  InfluenceBound(const MarkovChain& chain, uint64_t length);
  // At least P^m(x,v) / P^m(y,v) - 1 for any x, y and v; may be infinite. Precondition: 1 <= steps <= length.
  double spread(uint64_t steps) const;
  // At least log P^m(x,v) / P^m(y,v).
  double after(uint64_t steps) const;

 private:
  struct Power {
    double spread;       // the largest (max - min) / min of a column
    double contraction;  // the largest total variation of two rows
  };
  std::vector<Power> powers_;  // of the matrix to 1, 2, 4, …
};

// The law of the state from time to time.
class TimeLaws {
 public:
  TimeLaws(const MarkovChain& chain, uint64_t length);

  // Times that share one bound: all of them when the chain is stationary; else, where the law certainly stays
  // next to the stationary one, all from then on.
  const std::optional<TimesAlike>& settled() const { return settled_; }
  // Calls visit(const TimesAlike&) for each of the other times, in order.
  template <class Visit>
  void each_unsettled(Visit visit) const {
    Law law = start_;
    const uint64_t end = settled_ ? settled_->first : length_ + 1;
    for (uint64_t time = 1; time < end; ++time) {
      if (time > 1) step(law);
      visit(alike(law, time, time));
    }
  }

 private:
  struct Law {
    std::vector<double> mass;
    StateSet support = 0;
    uint64_t roundings = 1;  // bounds the relative error
  };
  static Law law_of(const std::vector<Rational>& masses);
  void step(Law& law) const;
  TimesAlike alike(const Law& law, uint64_t first, uint64_t last) const;
  void find_settled(const MarkovChain& chain);

  size_t states_;
  uint64_t length_;
  Law start_;
  std::vector<double> matrix_;
  std::vector<StateSet> next_;
  std::optional<TimesAlike> settled_;
};

}  // namespace fugu::inline in_calibrate
