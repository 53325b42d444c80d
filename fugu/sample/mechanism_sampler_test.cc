#include "fugu/sample/mechanism_sampler.h"

#include <gtest/gtest.h>

#include "fugu/sample/random.h"

namespace fugu {
namespace {

// Each value has one output, so that a wrong row shows. Rows are looked up in a table where the values are
// near, by search where they are far apart.
TEST(MechanismSampler, FindsTheRowOfEachValue) {
  for (int64_t far : {int64_t{5}, (int64_t{1} << 20) - 10, int64_t{1} << 20, int64_t{1} << 60}) {
    const Channel channel{{-9, -7, far - 10}, {1, 2, 3}, {{0, 0, 1}, {4, 0, 0}, {0, 2, 0}}};
    const MechanismSampler sampler(channel);
    SecureRandom random;
    std::vector<int64_t> values{-7, far - 10, -9, -9, far - 10, -7};
    sampler.release(random, values);
    EXPECT_EQ(values, (std::vector<int64_t>{1, 2, 3, 3, 2, 1})) << far;
  }
}

// More values than are drawn at once, each with noise of its own.
TEST(MechanismSampler, AddsNoiseToEveryValue) {
  Noise noise = no_noise("test");
  noise.weights = {Integer(1), Integer(0), Integer(1)};
  std::vector<int64_t> values;
  for (int64_t k = 0; k < 1300; ++k) values.push_back(10 * k);
  SecureRandom random;
  MechanismSampler{Mechanism{noise}}.release(random, values);
  size_t above = 0;
  for (int64_t k = 0; k < 1300; ++k) {
    const int64_t drawn = values[static_cast<size_t>(k)] - 10 * k;
    EXPECT_EQ(std::abs(drawn), 1) << k;
    above += drawn > 0;
  }
  // Fails by chance once in 2^70 runs: 1300 fair draws stay within ten standard deviations.
  EXPECT_NEAR(static_cast<double>(above), 650, 180);
}

}  // namespace
}  // namespace fugu
