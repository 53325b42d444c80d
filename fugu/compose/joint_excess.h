// The hockey-stick of several releases of one value together, by the laws of their losses (docs/math.md,
// section 10).
//
// In a cell of the transport plan the releases are independent, so the law of their loss there is that of a
// sum. It is computed on a grid, from above; the cells' hockey-sticks are then averaged. Sound for any
// releases, however they were calibrated, that were settled beforehand: a delta has no say over one that was
// chosen after seeing the ones before.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "fugu/compose/exchange_loss.h"
#include "fugu/mechanism/mechanism.h"
#include "fugu/scenario/scenario.h"

namespace fugu::inline in_compose {

// One transport plan in one direction: which exchanges, and at most how much mass each has.
struct Mixture {
  std::vector<size_t> exchanges = {};
  std::vector<double> masses = {};
};

class JointExcess {
 public:
  JointExcess(std::vector<ExchangeLaw> laws, std::vector<Mixture> mixtures, Rational blur)
      : laws_(std::move(laws)), mixtures_(std::move(mixtures)), blur_(std::move(blur)) {}

  // An upper bound of the largest hockey-stick at epsilon >= 0 over priors and pairs, both ways.
  double at(const Rational& epsilon) const;

 private:
  std::vector<ExchangeLaw> laws_;
  std::vector<Mixture> mixtures_;
  Rational blur_;
};

// `finest` is the least delta that will be looked for: a ten-thousandth of it is given away for speed.
// Without a confidence over the transport plans, with one over any two values of the domain. Absent where
// there is too much to look at. Preconditions: each release is noise on the one column or a channel; finest >
// 0.
std::optional<JointExcess> joint_excess(const Scenario& scenario,
                                        const std::vector<const Mechanism*>& releases,
                                        const Rational& finest);

}  // namespace fugu::inline in_compose
