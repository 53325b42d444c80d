#include "fugu/core/large_vector.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <thread>

namespace fugu {
namespace {

constexpr size_t kLarge = kLargeBytes / sizeof(uint64_t);

TEST(LargeVector, IsAVector) {
  for (size_t size : {size_t{0}, size_t{10}, kLarge - 1, kLarge, kLarge + 1}) {
    LargeVector<uint64_t> values(size);
    std::iota(values.begin(), values.end(), uint64_t{0});
    LargeVector<uint64_t> copy = values;
    values.push_back(7);
    EXPECT_EQ(values.size(), size + 1);
    EXPECT_TRUE(std::equal(copy.begin(), copy.end(), values.begin()));
    EXPECT_EQ(LargeVector<uint64_t>(size, 5), LargeVector<uint64_t>(size, 5));
  }
}

TEST(LargeVector, KeepsABlockForTheNextOfItsSize) {
  void* block = take_large_block(kLargeBytes);
  return_large_block(block, kLargeBytes);
  LargeVector<uint64_t> first(kLarge), second(kLarge);
  EXPECT_EQ(first.data(), block);
  EXPECT_NE(second.data(), block);
}

TEST(LargeVector, ServesManyThreadsAndMoreThanItKeeps) {
  std::vector<std::thread> threads;
  for (uint64_t mark = 1; mark <= 4; ++mark) {
    threads.emplace_back([mark] {
      for (size_t round = 0; round < 3; ++round) {
        std::vector<LargeVector<uint64_t>> many(6, LargeVector<uint64_t>(kLarge + round % 3 * kLarge, mark));
        for (const auto& values : many)
          EXPECT_EQ(std::count(values.begin(), values.end(), mark), values.size());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace fugu
