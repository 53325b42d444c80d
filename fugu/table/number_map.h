// A number for each key of a few words: one probe for most.
//
// Why no library: absl::flat_hash_map takes twice as long for twenty keys, half as long for thousands, and
// five more shared libraries in the wheel; Boost's needs 1.81, which Debian 12 does not install beside SciPy;
// std::unordered_map takes up to 4 times as long.
#pragma once

#include <vector>

#include "fugu/table/words.h"

namespace fugu::inline in_table {

template <size_t kWords>
class NumberMap {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;
  using Key = std::array<uint64_t, kWords>;

  NumberMap() : slots_(1024) {}

  // The number of the key: make() where it is new, which is not kNone. Nothing is kept when make() throws.
  template <class Make>
  uint32_t get(const Key& key, Make&& make) {
    uint32_t number = find(key);
    if (number == kNone) [[unlikely]]
      add(key, number = make());
    return number;
  }

  size_t size() const { return size_; }

 private:
  struct Slot {
    Key key{};
    uint32_t number = kNone;
  };

  size_t next(size_t slot) const { return (slot + 1) & (slots_.size() - 1); }
  size_t first(const Key& key) const { return hash_of(key) & (slots_.size() - 1); }

  uint32_t find(const Key& key) const {
    for (size_t at = first(key);; at = next(at)) {
      const Slot& slot = slots_[at];
      if (slot.number == kNone || difference(slot.key, key) == 0) return slot.number;
    }
  }
  __attribute__((noinline)) void add(const Key& key, uint32_t number) {
    if (2 * ++size_ > slots_.size()) {
      std::vector<Slot> old(slots_.size() * 2);
      old.swap(slots_);
      for (const Slot& slot : old) {
        if (slot.number != kNone) place(slot);
      }
    }
    place({key, number});
  }
  void place(const Slot& slot) {
    size_t at = first(slot.key);
    while (slots_[at].number != kNone) at = next(at);
    slots_[at] = slot;
  }

  std::vector<Slot> slots_;  // open addressing; a power of two in size, at most half full
  size_t size_ = 0;
};

}  // namespace fugu::inline in_table
