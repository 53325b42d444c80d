// The verifier: small, separate, and unimpressed by whoever made the plan.
//
// It takes from a plan only the scenario and the exact mechanism, recomputes the loss (or, with delta, the
// hockey-stick) of it with interval arithmetic, raising the precision until it is decided, and then
// compares every other number the plan states.
#pragma once

#include "fugu/core/progress.h"
#include "fugu/plan/plan.h"

namespace fugu {

// Whether the mechanism attains (epsilon, delta), and where it is tightest.
struct Proof {
  bool holds = false;
  bool infinite = false;  // the loss: an output is possible under one secret only
  Witness witness;        // its bound is at most epsilon (or delta) when the proof holds
};

// With dyadic noise or a channel of integers, and exact masses, loss = epsilon and H = delta can only be
// equal where both are compared exactly (docs/math.md, section 5), so enough bits always decide. Error
// (guarantee) if even 2^16 bits do not, or when a channel lacks a row for a value. Masses that are known
// within a blur: whether it is attained by every true law within it, and what cannot be told is a no.
Proof prove(const Scenario& scenario, const Mechanism& mechanism, const Progress& progress = {});

// Distances over the pairs and priors, recomputed from the scenario. Within a blur, w_inf is an upper bound
// over the true laws, and w_1 is that of the nominal ones.
Sensitivity measure_sensitivity(const Scenario& scenario);

// Returns the recomputed witness, or throws Error (guarantee) that names the first number that is wrong.
Witness verify(const Plan& plan);

}  // namespace fugu
