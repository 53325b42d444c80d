// A number for each pair of small numbers, from 0 on in the order in which they come.
//
// Few pairs stand in a square, where one is looked up without hashing; the others in a map.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "fugu/table/number_map.h"

namespace fugu::inline in_table {

class PairNumbers {
 public:
  FUGU_HOT uint32_t get(uint32_t first, uint32_t second) {
    const uint64_t at = place(first, second);
    if (second >> bits_ == 0 && at < square_.size() && square_[at] != kNone) [[likely]]
      return square_[at];
    return look(first, second);
  }

  // Of many pairs at once, in place of their first ones.
  FUGU_HOT void get_all(uint32_t* firsts, const uint32_t* seconds, size_t count) {
    const uint32_t* square = square_.data();
    uint64_t size = square_.size();
    uint32_t bits = bits_;
    for (size_t k = 0; k < count; ++k) {
      const uint32_t second = seconds[k];
      const uint64_t at = uint64_t{firsts[k]} << bits | second;
      if (second >> bits == 0 && at < size && square[at] != kNone) [[likely]] {
        firsts[k] = square[at];
        continue;
      }
      firsts[k] = look(firsts[k], second);
      square = square_.data();
      size = square_.size();
      bits = bits_;
    }
  }

  uint32_t size() const { return size_; }

 private:
  static constexpr uint32_t kNone = UINT32_MAX;
  static constexpr uint64_t kMost = uint64_t{1} << 16;  // of the square: what the nearer caches hold

  uint64_t place(uint64_t first, uint32_t second) const { return first << bits_ | second; }

  // A pair that the square has no room for will never have one: its sides only grow.
  __attribute__((noinline)) uint32_t look(uint32_t first, uint32_t second) {
    const uint64_t rows = std::max(square_.size() >> bits_, std::bit_ceil(uint64_t{first} + 1));
    const auto bits = std::max(bits_, static_cast<uint32_t>(std::bit_width(second)));
    if (bits >= std::bit_width(kMost) || rows > kMost >> bits)
      return others_.get({uint64_t{first} << 32 | second}, [&] { return size_++; });
    if (bits > bits_ || rows << bits > square_.size()) grow(rows, bits);
    uint32_t& number = square_[place(first, second)];
    if (number == kNone) number = size_++;
    return number;
  }

  void grow(uint64_t rows, uint32_t bits) {
    std::vector<uint32_t> wider(rows << bits, kNone);
    for (uint64_t at = 0; at < square_.size(); ++at)
      wider[(at >> bits_) << bits | (at & ((uint64_t{1} << bits_) - 1))] = square_[at];
    square_ = std::move(wider);
    bits_ = bits;
  }

  std::vector<uint32_t> square_;  // by first number, each row 2^bits_ long
  uint32_t bits_ = 0;
  NumberMap<1> others_;  // of the pairs that the square has no room for
  uint32_t size_ = 0;
};

}  // namespace fugu::inline in_table
