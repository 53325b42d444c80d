#include "fugu/table/pair_numbers.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <map>

namespace fugu {
namespace {

// Near pairs, far ones, and those on either side of what the square holds, in any order.
RC_GTEST_PROP(PairNumbersProperty, EachPairKeepsTheNumberOfItsFirstTime, ()) {
  const auto any = rc::gen::oneOf(rc::gen::inRange<uint32_t>(0, 12), rc::gen::inRange<uint32_t>(200, 300),
                                  rc::gen::inRange<uint32_t>(65500, 65600),
                                  rc::gen::inRange<uint32_t>(4'294'967'000, 4'294'967'295));
  const auto pairs = *rc::gen::container<std::vector<std::pair<uint32_t, uint32_t>>>(rc::gen::pair(any, any));
  PairNumbers numbers;
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> expected;
  for (const auto& [first, second] : pairs) {
    const auto known = expected.emplace(std::pair{first, second}, expected.size()).first;
    RC_ASSERT(numbers.get(first, second) == known->second);
  }
  RC_ASSERT(numbers.size() == expected.size());
  PairNumbers at_once;
  std::vector<uint32_t> firsts, seconds, found;
  for (const auto& [first, second] : pairs) {
    firsts.push_back(first);
    seconds.push_back(second);
    found.push_back(expected.at({first, second}));
  }
  at_once.get_all(firsts.data(), seconds.data(), pairs.size());
  RC_ASSERT(firsts == found);
}

}  // namespace
}  // namespace fugu
