#include "fugu/table/near_numbers.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <stdexcept>

namespace fugu {
namespace {

TEST(NearNumbers, EachWordHasTheNumberThatItGotFirst) {
  std::mt19937_64 random(7);
  NearNumbers numbers;
  std::map<uint64_t, uint32_t> expected;
  auto check = [&](uint64_t word) {
    const auto next = static_cast<uint32_t>(expected.size());
    const uint32_t wanted = expected.try_emplace(word, next).first->second;
    ASSERT_EQ(numbers.get(word, [&] { return next; }), wanted) << word;
  };
  for (int64_t near : {0, 1, -1, 127, -128, 128, 32767, 32768, -32768, -32769, 65535, 65536})
    check(static_cast<uint64_t>(near));
  for (uint64_t far : {UINT64_MAX >> 1, uint64_t{1} << 63, (uint64_t{1} << 63) + 1}) check(far);
  for (int k = 0; k < 100'000; ++k) {
    const uint64_t bits = random() >> (random() % 64);
    check(random() % 2 ? bits : ~bits);
  }
}

TEST(NearNumbers, WhatCannotBeMadeIsNotKept) {
  NearNumbers numbers;
  for (uint64_t word : {uint64_t{5}, uint64_t{1} << 40}) {
    EXPECT_THROW(numbers.get(word, []() -> uint32_t { throw std::runtime_error("no"); }), std::runtime_error);
    EXPECT_EQ(numbers.get(word, [] { return 3U; }), 3U);
    EXPECT_EQ(numbers.get(word, [] { return 4U; }), 3U);
  }
}

}  // namespace
}  // namespace fugu
