#include "fugu/sample/swap_sampler.h"

#include <gtest/gtest.h>

#include <map>

#include "fugu/sample/random.h"

namespace fugu {
namespace {

Swap two_strata() {
  return {{{{"a"}, {0, 5, 9}, {4, 8, 1}, {{0, 1, 1}, {0, 2, 1}, {1, 0, 2}}},
           {{"b"}, {5, 9}, {3, 3}, {{0, 1, 3}, {1, 0, 1}}}}};
}

// Words one after another, so that every outcome can be counted.
struct Listed {
  std::vector<uint64_t> words;
  size_t next = 0;
  uint64_t word() { return words[next++ % words.size()]; }
  void fill(std::span<uint64_t> block) {
    for (uint64_t& one : block) one = word();
  }
};

TEST(SwapSampler, NumbersThePlacesOfAllStrata) {
  const SwapSampler sampler(two_strata());
  EXPECT_EQ(sampler.places(), 5u);
  EXPECT_EQ(sampler.first_place(1), 3u);
}

// The multiples of 2^64 / total, each in the middle of its part, are the numbers 0 … total - 1.
TEST(SwapSampler, SendsExactlyTheWeightOfEachFlow) {
  const SwapSampler sampler(two_strata());
  const std::vector<uint64_t> totals{4, 8, 1, 3, 3};
  const std::vector<std::map<uint32_t, int>> expected{
      {{0, 2}, {1, 1}, {2, 1}}, {{0, 2}, {1, 6}}, {{2, 1}}, {{4, 3}}, {{3, 1}, {4, 2}}};
  for (uint32_t place = 0; place < totals.size(); ++place) {
    std::map<uint32_t, int> seen;
    for (uint64_t k = 0; k < totals[place]; ++k) {
      const unsigned __int128 whole = static_cast<unsigned __int128>(1) << 64;
      Listed words{{static_cast<uint64_t>((whole * (2 * k + 1)) / (2 * totals[place]))}};
      ++seen[sampler.draw(words, place)];
    }
    EXPECT_EQ(seen, expected[place]) << place;
  }
}

// Of 3 outcomes one word, 0, is too many: it is drawn again.
TEST(SwapSampler, DrawsAgainWhereAWordIsTooMany) {
  const SwapSampler sampler(two_strata());
  Listed words{{0, ~uint64_t{0}}};
  EXPECT_EQ(sampler.draw(words, 4), 4u);
  EXPECT_EQ(words.next, 2u);
}

TEST(SwapSampler, HasTheFrequenciesOfItsFlows) {
  const SwapSampler sampler(two_strata());
  SecureRandom random;
  std::vector<int64_t> places(400000, 0);
  sampler.release(random, places);
  std::map<int64_t, double> share;
  for (int64_t place : places) share[place] += 1.0 / 400000;
  EXPECT_NEAR(share[0], 0.5, 0.006);
  EXPECT_NEAR(share[1], 0.25, 0.006);
  EXPECT_NEAR(share[2], 0.25, 0.006);
}

}  // namespace
}  // namespace fugu
