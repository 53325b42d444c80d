// The hockey-stick of several releases of one value together, over every joint output (docs/math.md,
// section 10): no coupling, and exact but for the rounding and the ends of the noise, which count in full.
// For two or three releases of few values, and for copies of one Gaussian. All must have been settled
// beforehand.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "fugu/mechanism/mechanism.h"
#include "fugu/scenario/scenario.h"

namespace fugu::inline in_compose {

// By secret, with the outputs in one order.
struct JointOutputs {
  std::vector<std::vector<double>> high, low;
};

class JointHockey {
 public:
  JointHockey(std::vector<JointOutputs> priors, std::vector<SecretPair> pairs, double outside, Rational blur)
      : priors_(std::move(priors)), pairs_(std::move(pairs)), outside_(outside), blur_(std::move(blur)) {}

  // An upper bound of the largest hockey-stick at epsilon >= 0 over priors and pairs, both ways.
  double at(const Rational& epsilon) const;

 private:
  std::vector<JointOutputs> priors_;
  std::vector<SecretPair> pairs_;
  double outside_;
  Rational blur_;
};

// `finest` is the least delta that will be looked for: a hundredth of it is given away at the ends of the
// noise. Absent with a confidence, and where there are too many joint outputs. Preconditions: each release
// is noise on the one column or a channel; finest > 0.
std::optional<JointHockey> joint_hockey(const Scenario& scenario,
                                        const std::vector<const Mechanism*>& releases,
                                        const Rational& finest);

}  // namespace fugu::inline in_compose
