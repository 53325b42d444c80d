// What the verifier says of a plan of a scenario whose facts are all true.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "fugu/mechanism/family.h"
#include "fugu/verify/verify.h"

namespace fugu::testing {

// "accepted", or why not.
inline std::string verdict_on(const Scenario& scenario) {
  Plan plan{
      scenario, "kantorovich", family_named("laplace")->at(Scale{4}, scenario.lattice, 0), 0, {}, {}, {}, {},
      {}};
  plan.mse = mean_square_error(scenario, plan.mechanism);
  plan.sensitivity = measure_sensitivity(scenario);
  plan.witness = prove(scenario, plan.mechanism).witness;
  plan.assumptions = assumptions_of(scenario);
  try {
    verify(plan);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kGuarantee);
    return error.message().substr(std::string("the plan does not verify: ").size());
  }
  return "accepted";
}

}  // namespace fugu::testing
