// A number for each word: of those near zero, as most whole numbers and dates are, without hashing.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "fugu/table/number_map.h"

namespace fugu::inline in_table {

class NearNumbers {
 public:
  // The number of the word, of a whole number its two's complement: make() where it is new, which is not
  // NumberMap's kNone. Nothing is kept when make() throws.
  template <class Make>
  FUGU_HOT uint32_t get(uint64_t word, Make&& make) {
    const uint64_t at = place(word);
    if (at < near_.size() && near_[at] != NumberMap<1>::kNone) [[likely]]
      return near_[at];
    return look(word, make);
  }

 private:
  static constexpr uint64_t kMost = uint64_t{1} << 16;  // what the nearer caches hold

  // 0, -1, 1, -2, 2 …
  static uint64_t place(uint64_t word) { return word << 1 ^ (0 - (word >> 63)); }

  template <class Make>
  __attribute__((noinline)) uint32_t look(uint64_t word, Make make) {
    const uint64_t at = place(word);
    if (at >= kMost) return far_.get({word}, make);
    const uint32_t number = make();
    if (at >= near_.size()) near_.resize(std::max(kFirst, std::bit_ceil(at + 1)), NumberMap<1>::kNone);
    return near_[at] = number;
  }
  static constexpr uint64_t kFirst = 256;

  std::vector<uint32_t> near_;
  NumberMap<1> far_;
};

}  // namespace fugu::inline in_table
