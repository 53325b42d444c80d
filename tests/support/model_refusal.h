// What the verifier says against a model's plan.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "fugu/core/error.h"
#include "fugu/verify/verify_model.h"

namespace fugu::testing {

// Empty where it verifies.
inline std::string refusal(const ModelPlan& plan) {
  try {
    verify(plan);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kGuarantee);
    return error.message();
  }
  return "";
}

}  // namespace fugu::testing
