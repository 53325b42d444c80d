#include "fugu/table/number_map.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <stdexcept>

namespace fugu {
namespace {

template <size_t kWords>
void expect_like_a_map() {
  NumberMap<kWords> numbers;
  std::map<std::array<uint64_t, kWords>, uint32_t> known;
  for (int k = 0; k < 3000; ++k) {
    std::array<uint64_t, kWords> key{};
    for (uint64_t& word : key) word = *rc::gen::inRange<uint64_t>(0, 60) << *rc::gen::element(0, 8, 32, 58);
    const auto [place, is_new] = known.try_emplace(key, static_cast<uint32_t>(7 * known.size()));
    bool made = false;
    const uint32_t number = numbers.get(key, [&, fresh = place->second] {
      made = true;
      return fresh;
    });
    RC_ASSERT(made == is_new);
    RC_ASSERT(number == place->second);
    RC_ASSERT(numbers.size() == known.size());
  }
}

RC_GTEST_PROP(NumberMapProperty, EqualsAMap, ()) {
  expect_like_a_map<1>();
  expect_like_a_map<4>();
}

TEST(NumberMap, KeepsNothingWhenThereIsNoNumber) {
  NumberMap<1> numbers;
  EXPECT_THROW(numbers.get({5}, []() -> uint32_t { throw std::runtime_error("none"); }), std::runtime_error);
  EXPECT_EQ(numbers.size(), 0U);
  EXPECT_EQ(numbers.get({5}, [] { return 3U; }), 3U);
}

}  // namespace
}  // namespace fugu
