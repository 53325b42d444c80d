// The worst case over every law that the counts allow (docs/math.md, section 9).
//
// At an output y the mass of a secret is sum_x K(y|x) p(x), and p ranges over a box of bounds within the
// probability laws. The two secrets of a pair have boxes of their own, so the worst ratio is the most of one
// over the least of the other. Each is bounded by weak duality: for every number t the most is at most
// t + sum_x (K(y|x) - t) b(x), with b the upper bound where K > t and the lower where K < t; the t of the
// greedy filling makes it an equality. Which t is chosen is a guess; the bound holds for any.
#pragma once

#include "fugu/core/progress.h"
#include "fugu/law/boxes.h"
#include "fugu/scenario/scenario.h"
#include "fugu/proof/judge.h"
#include "fugu/proof/kernel.h"

namespace fugu {

struct HockeyBounds;

// For one secret: bounds of the least and the most mass at each output.
struct BoxedMasses {
  std::vector<Interval> least, most;
};

// P(outputs[k] | domain[x]).
class Kernel {
 public:
  // Outputs where a ratio has to be known; with `all` every lattice point between the outermost of them, so
  // that sums can be taken. Error (guarantee) when these are too many.
  Kernel(const std::vector<int64_t>& domain, const MechanismBounds& mechanism, bool all);
  const std::vector<int64_t>& outputs() const { return outputs_; }
  // By which every mass falls from step to step beyond the outermost outputs; 0 for a channel.
  const Interval& tail() const { return tail_; }
  BoxedMasses masses(const std::vector<MassBox>& boxes) const;

 private:
  std::vector<int64_t> outputs_;
  Interval tail_;
  std::vector<std::vector<Interval>> at_;     // by output, place in the domain
  std::vector<std::vector<size_t>> falling_;  // places in the domain, by output, the largest first
};

void weigh_boxes(const Scenario& scenario, const MechanismBounds& mechanism, Judge& judge,
                 const Progress& progress = {});

// The hockey-stick of the most of one against the least of the other at every output: an upper bound of the
// worst over the boxes.
HockeyBounds bound_boxed_hockey(const Scenario& scenario, const MechanismBounds& mechanism, Bits precision,
                                const Progress& progress = {});

}  // namespace fugu
