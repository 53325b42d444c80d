// Words that repeat, for tests alone: nothing in fugu/ or apps/ may name them (tests/randomness_test.py).
#pragma once

#include <cstdint>
#include <random>
#include <span>

namespace fugu::testing {

class SeededWords {
 public:
  explicit SeededWords(uint64_t seed) : engine_(seed) {}
  uint64_t word() { return engine_(); }
  void fill(std::span<uint64_t> out) {
    for (uint64_t& word : out) word = engine_();
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace fugu::testing
