#include "fugu/estimate/typical_share.h"

#include <gtest/gtest.h>

#include <cmath>

#include "fugu/scenario/scenario_json.h"

namespace fugu {
namespace {

Scenario scenario_of(const std::string& labels, const std::string& masses) {
  return scenario_from_json(
      parse_json(
          R"({"epsilon": 1, "priors": [{"name": "empirical", "given": {"a": {"values": [1, 2], "mass": )" +
              masses + R"(}, "b": {"values": [1, 2], "mass": )" + masses +
              R"(}}}], "source": {"secret": ["s"], "public": ["v"], "labels": )" + labels + "}}",
          "test"),
      "test");
}

// Each of two values is kept with that many chances of ten.
Channel kept_of_ten(int kept) {
  return {.inputs = {1, 2},
          .outputs = {1, 2},
          .weights = {{Integer(kept), Integer(10 - kept)}, {Integer(10 - kept), Integer(kept)}}};
}

TEST(TypicalShare, NothingIsSaidOfNoRowsAndNothingIsOffWhereNothingChanges) {
  const Scenario scenario = scenario_of(R"(["x", "y"])", "[10, 90]");
  EXPECT_FALSE(typical_share(scenario, kept_of_ten(8), 0));
  const auto share = typical_share(scenario, kept_of_ten(10), 100);
  ASSERT_TRUE(share);
  EXPECT_EQ(share->within, 0);
}

// Against the normal law: (kept - 1/2) 2 times the share is what is seen, with the variance of a coin.
TEST(TypicalShare, IsThatOfInvertedCoins) {
  const Scenario scenario = scenario_of(R"(["x", "y"])", "[10, 90]");
  for (double rows : {1e3, 1e5}) {
    const auto share = typical_share(scenario, kept_of_ten(8), static_cast<uint64_t>(rows));
    ASSERT_TRUE(share);
    EXPECT_NEAR(share->share, 0.1, 1e-12);
    const double normal = 1.96 * std::sqrt(0.8 * 0.2 / rows) / 0.6;
    EXPECT_GT(share->within, normal * 0.98) << rows;
    EXPECT_LT(share->within, normal * 1.3) << rows;
  }
}

}  // namespace
}  // namespace fugu
