// A few words as the key of a hash table: their hash, and whether two keys differ.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "fugu/table/hot.h"

namespace fugu::inline in_table {

inline constexpr uint64_t kFirstFactor = 0xa0761d6478bd642fULL, kSecondFactor = 0xe7037ed1a0b428dbULL;

// Folded multiplication, as in wyhash.
FUGU_HOT uint64_t folded(uint64_t a, uint64_t b) {
  const auto product = static_cast<unsigned __int128>(a) * b;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

template <size_t kWords>
FUGU_HOT uint64_t hash_of(const std::array<uint64_t, kWords>& words) {
  uint64_t result = 0;
  for (size_t k = 0; k < kWords; k += 2) {
    const uint64_t other = k + 1 < kWords ? words[k + 1] : 0;
    result = folded(words[k] ^ kFirstFactor ^ result, other ^ kSecondFactor);
  }
  return result;
}

// 0 for the same words. Comparing all of them beats comparing one after the other, or calling memcmp.
template <size_t kWords>
FUGU_HOT uint64_t difference(const std::array<uint64_t, kWords>& a, const std::array<uint64_t, kWords>& b) {
  uint64_t result = 0;
  for (size_t k = 0; k < kWords; ++k) result |= a[k] ^ b[k];
  return result;
}

}  // namespace fugu::inline in_table
