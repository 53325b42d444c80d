#include "fugu/plan/step_support.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <map>
#include <numeric>

namespace fugu {
namespace {

// By leaving out every set of people: the least that makes the differences of the others have another
// common divisor than 1.
uint64_t brute_support(const std::vector<int64_t>& people, uint64_t most) {
  uint64_t support = most;
  for (uint32_t left = 0; left < (1U << people.size()) - 1; ++left) {
    int64_t common = 0, first = -1;
    for (size_t k = 0; k < people.size(); ++k) {
      if ((left >> k & 1) != 0) continue;
      if (first < 0) first = people[k];
      common = std::gcd(common, people[k] - first);
    }
    if (common != 1) support = std::min<uint64_t>(support, static_cast<uint64_t>(std::popcount(left)));
  }
  return support;
}

uint64_t support_of(const std::vector<int64_t>& people, uint64_t most) {
  std::map<int64_t, uint64_t> counts;
  for (const int64_t value : people) ++counts[value];
  std::vector<int64_t> values;
  std::vector<Integer> count;
  for (const auto& [value, times] : counts) {
    values.push_back(value);
    count.emplace_back(times);
  }
  return step_support(values, count, most);
}

RC_GTEST_PROP(StepSupportProperty, IsTheLeastSetThatChangesTheLattice, ()) {
  const int64_t step = *rc::gen::element<int64_t>(1, 2, 3, 6, 30);
  const auto count = *rc::gen::inRange<size_t>(1, 10);
  auto people = *rc::gen::container<std::vector<int64_t>>(count, rc::gen::inRange<int64_t>(0, 9));
  for (size_t k = 0; k < people.size(); ++k)  // most of them on a coarser lattice
    if (k % 4 != 0) people[k] *= step;
  const auto most = *rc::gen::inRange<uint64_t>(1, 7);
  RC_ASSERT(support_of(people, most) == brute_support(people, most));
}

TEST(StepSupport, OnePersonMayDecideTheStep) {
  EXPECT_EQ(step_support({0, 1}, {Integer(999), Integer(1)}, 5), 1U);
  EXPECT_EQ(step_support({0, 1}, {Integer(999), Integer(5)}, 5), 5U);
  EXPECT_EQ(step_support({7}, {Integer(999)}, 5), 0U);
  // All but three are multiples of a large prime; the first values are theirs.
  const int64_t prime = 1'000'000'007;
  std::vector<int64_t> values{1, 2, 3};
  for (int64_t k = 1; k <= 200; ++k) values.push_back(k * prime);
  EXPECT_EQ(step_support(values, std::vector<Integer>(values.size(), Integer(1)), 5), 3U);
  EXPECT_EQ(step_support(values, std::vector<Integer>(values.size(), Integer(1)), 3), 3U);
  EXPECT_EQ(step_support(values, std::vector<Integer>(values.size(), Integer(2)), 7), 6U);
}

}  // namespace
}  // namespace fugu
