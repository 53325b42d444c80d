// A number for each key of a few words: one probe for most.
//
// Why no library: absl::flat_hash_map takes twice as long for twenty keys, half as long for thousands, and
// five more shared libraries in the wheel; Boost's needs 1.81, which Debian 12 does not install beside SciPy;
// std::unordered_map takes up to 4 times as long.
#pragma once

#include <algorithm>
#include <vector>

#include "fugu/table/words.h"

namespace fugu::inline in_table {

template <size_t kWords>
class NumberMap {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;
  using Key = std::array<uint64_t, kWords>;

  NumberMap() : buckets_(256) {}

  // The number of the key: make() where it is new, which is not kNone. Nothing is kept when make() throws.
  template <class Make>
  FUGU_HOT uint32_t get(const Key& key, Make&& make) {
    uint32_t number = find(key);
    if (number == kNone) [[unlikely]]
      add(key, number = make());
    return number;
  }

  size_t size() const { return size_; }

 private:
  // Entries without a key have the number kNone and a key of zeros, and come last.
  struct Bucket {
    Bucket() { numbers.fill(kNone); }
    std::array<Key, 2> keys{};
    std::array<uint32_t, 2> numbers;
  };

  size_t next(size_t bucket) const { return (bucket + 1) & (buckets_.size() - 1); }
  FUGU_HOT size_t first(const Key& key) const { return hash_of(key) & (buckets_.size() - 1); }

  // Most keys are in the first bucket, in either entry: so no branch asks which.
  FUGU_HOT uint32_t find(const Key& key) const {
    for (size_t at = first(key);; at = next(at)) {
      const Bucket& bucket = buckets_[at];
      const uint64_t one = difference(bucket.keys[0], key), other = difference(bucket.keys[1], key);
      if (std::min(one, other) == 0) [[likely]]
        return bucket.numbers[one != 0];
      if (bucket.numbers[1] == kNone) return kNone;
    }
  }
  __attribute__((noinline)) void add(const Key& key, uint32_t number) {
    if (++size_ > buckets_.size()) {
      std::vector<Bucket> old(buckets_.size() * 2);
      old.swap(buckets_);
      for (const Bucket& bucket : old) {
        for (size_t k = 0; k < bucket.keys.size(); ++k) {
          if (bucket.numbers[k] != kNone) place(bucket.keys[k], bucket.numbers[k]);
        }
      }
    }
    place(key, number);
  }
  void place(const Key& key, uint32_t number) {
    for (size_t at = first(key);; at = next(at)) {
      for (size_t k = 0; k < buckets_[at].keys.size(); ++k) {
        if (buckets_[at].numbers[k] != kNone) continue;
        buckets_[at].keys[k] = key;
        buckets_[at].numbers[k] = number;
        return;
      }
    }
  }

  std::vector<Bucket> buckets_;  // open addressing; a power of two in size, at most half full
  size_t size_ = 0;
};

}  // namespace fugu::inline in_table
