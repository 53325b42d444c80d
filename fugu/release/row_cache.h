// Which known row a row of short texts is: one probe, no copies, no hashing of strings.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace fugu::inline in_release {

// Rows of at most two texts of at most 16 bytes each. Texts hold no NUL, so padding with NULs tells them
// apart.
class RowCache {
 public:
  static constexpr size_t kLongest = 16;
  static constexpr uint32_t kNone = UINT32_MAX;
  using Key = std::array<uint64_t, 4>;

  RowCache() : slots_(1024) {}

  // The text's bytes, padded. Precondition: at most kLongest bytes.
  static void put(std::string_view text, uint64_t* words) {
    if (text.size() <= 8) {
      words[0] = part(text.data(), text.size());
      words[1] = 0;
    } else {
      std::memcpy(words, text.data(), 8);
      words[1] = part(text.data() + 8, text.size() - 8);
    }
  }

  // The number that add() gave the row, or kNone.
  uint32_t find(const Key& key) const {
    for (size_t slot = hash(key) & (slots_.size() - 1);; slot = (slot + 1) & (slots_.size() - 1)) {
      const Slot& here = slots_[slot];
      if (here.number == kNone) return kNone;
      if (here.key == key) return here.number;
    }
  }
  // Precondition: find() says kNone.
  void add(const Key& key, uint32_t number) {
    if (2 * ++size_ > slots_.size()) grow();
    insert({key, number});
  }

 private:
  struct Slot {
    Key key{};
    uint32_t number = kNone;
  };

  // Up to eight bytes without reading past them.
  static uint64_t part(const char* from, size_t size) {
    if (size == 8) return load<uint64_t>(from);
    if (size >= 4)
      return load<uint32_t>(from) | uint64_t{load<uint32_t>(from + size - 4)} << (8 * (size - 4));
    if (size == 0) return 0;
    return static_cast<unsigned char>(from[0]) |
           uint64_t{static_cast<unsigned char>(from[size / 2])} << (8 * (size / 2)) |
           uint64_t{static_cast<unsigned char>(from[size - 1])} << (8 * (size - 1));
  }
  template <class Word>
  static Word load(const char* from) {
    Word word;
    std::memcpy(&word, from, sizeof word);
    return word;
  }
  static size_t hash(const Key& key) {
    uint64_t mixed = key[0] * 0x9e3779b97f4a7c15ULL ^ std::rotl(key[2] * 0xc2b2ae3d27d4eb4fULL, 29);
    mixed ^= (key[1] + std::rotl(key[3], 17)) * 0x165667b19e3779f9ULL;
    return static_cast<size_t>(mixed ^ mixed >> 32) * 0x9e3779b97f4a7c15ULL >> 20;
  }
  void insert(const Slot& slot) {
    size_t at = hash(slot.key) & (slots_.size() - 1);
    while (slots_[at].number != kNone) at = (at + 1) & (slots_.size() - 1);
    slots_[at] = slot;
  }
  void grow() {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.number != kNone) insert(slot);
    }
  }

  std::vector<Slot> slots_;
  size_t size_ = 0;
};

}  // namespace fugu::inline in_release
