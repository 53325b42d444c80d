#include "fugu/compose/joint_loss.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/random_scenario.h"

namespace fugu {
namespace {

// Without noise the loss is that of the largest ratio itself, small ones too.
TEST(RawLoss, IsTheLargestRatio) {
  Scenario scenario{testing::epsilon_of("1")};
  scenario.secrets = {"A", "B"};
  scenario.priors.push_back(
      {"p",
       {Distribution::from_counts({1, 2, 3}, {5, 3, 2}), Distribution::from_counts({1, 2, 3}, {8, 6, 6})}});
  const auto loss = raw_loss(scenario, 128);  // 0.2 and 0.3 at 3
  ASSERT_TRUE(loss);
  EXPECT_NEAR(loss->upper(), std::log(1.5), 1e-15);
  EXPECT_NEAR(loss->lower(), std::log(1.5), 1e-15);
  scenario.priors[0].by_secret[1] = Distribution::from_counts({1, 2}, {1, 1});
  EXPECT_FALSE(raw_loss(scenario, 128));
}

}  // namespace
}  // namespace fugu
