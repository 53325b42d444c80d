// Counts rows of short texts, with the place where each was first seen: one probe per row.
//
// Longer texts than ShortText takes are the caller's to count elsewhere.
//
// Why no library: absl::flat_hash_map takes 1.2 to 1.6 times as long, std::unordered_map 2.2 to 3.5. None
// lets a row wait until its slot has come from memory.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "fugu/csv/short_text.h"
#include "fugu/table/hot.h"
#include "fugu/table/words.h"

namespace fugu::inline in_csv {

template <size_t kFields, size_t kWords>
class ShortRows {
 public:
  static constexpr size_t kLongest = ShortText<kWords>::kLongest;
  using Texts = std::array<std::string, kFields>;

  // `buckets`, a power of two, are there from the start.
  explicit ShortRows(size_t buckets = 512) : buckets_(buckets), mask_(buckets_.size() - 1) {}
  ShortRows(const ShortRows&) = delete;
  ShortRows& operator=(const ShortRows&) = delete;

  FUGU_HOT static bool fits(const Field* fields) {
    bool all = true;
    for (size_t k = 0; k < kFields; ++k) all &= ShortText<kWords>::fits(fields[k].text);
    return all;
  }

  // Takes a row that fits, of texts as ChunkScanner yields them. It is counted a little later, when its slot
  // had time to come from memory; then is_new(texts, place) is called if it is new.
  template <class IsNew>
  FUGU_HOT void add(const Field* fields, uint64_t place, IsNew&& is_new) {
    Waiting& row = *waiting_end_;
    for (size_t k = 0; k < kFields; ++k) ShortText<kWords>::put(fields[k].text, &row.words[k * kWords]);
    row.place = place;
    row.hash = hash_of(row.words);
    __builtin_prefetch(&buckets_[row.hash & mask_], 1);
    if (++waiting_end_ == waiting_.data() + waiting_.size()) flush(is_new);
  }

  // Counts the rows that wait. Call it at the end of a chunk.
  template <class IsNew>
  __attribute__((noinline)) void flush(IsNew&& is_new) {
    const Waiting* end = std::exchange(waiting_end_, waiting_.data());
    for (const Waiting* row = waiting_.data(); row != end; ++row) {
      if (count(*row)) is_new(texts_of(row->words), row->place);
    }
  }

  // Calls use(texts, count, place) for each row, in no order.
  template <class Use>
  void for_each(Use&& use) const {
    for (const Bucket& bucket : buckets_) {
      for (const Entry& entry : bucket.entries) {
        if (entry.count > 0) use(texts_of(entry.words), entry.count, entry.place);
      }
    }
  }

 private:
  using Words = std::array<uint64_t, kWords * kFields>;
  struct Entry {
    Words words = {};
    uint64_t count = 0;
    uint64_t place = 0;  // as given when the row was first added
  };
  struct Waiting {
    Words words;
    uint64_t place;
    uint64_t hash;
  };

  // One cache line for two fields of one word each. Entries without a row have count 0 and words 0, and come
  // last.
  struct alignas(64) Bucket {
    std::array<Entry, 2> entries;
  };

  // True when the row is new. Most rows are in the first bucket, in either entry: so no branch asks which.
  bool count(const Waiting& row) {
    for (size_t at = row.hash & mask_;; at = (at + 1) & mask_) {
      auto& entries = buckets_[at].entries;
      uint64_t first = difference(entries[0].words, row.words),
               second = difference(entries[1].words, row.words);
      if (std::min(first, second) == 0) [[likely]] {
        Entry& entry = entries[first != 0];
        if (entry.count++ > 0) [[likely]]
          return false;
        entry.place = row.place;  // a row of empty texts
        return has_grown();
      }
      for (Entry& entry : entries) {
        if (entry.count > 0) continue;
        entry = {row.words, 1, row.place};
        return has_grown();
      }
    }
  }

  bool has_grown() {
    if (++size_ > buckets_.size()) grow();
    return true;
  }

  static Texts texts_of(const Words& words) {
    Texts texts;
    for (size_t k = 0; k < kFields; ++k) {
      char text[kLongest + 1] = {};
      std::memcpy(text, &words[kWords * k], kLongest);
      texts[k] = text;
    }
    return texts;
  }

  void grow() {
    std::vector<Bucket> old(buckets_.size() * 2);
    old.swap(buckets_);
    mask_ = buckets_.size() - 1;
    for (const Bucket& bucket : old) {
      for (const Entry& entry : bucket.entries) {
        if (entry.count > 0) place(entry);
      }
    }
  }

  void place(const Entry& entry) {
    for (size_t at = hash_of(entry.words) & mask_;; at = (at + 1) & mask_) {
      for (Entry& free : buckets_[at].entries) {
        if (free.count > 0) continue;
        free = entry;
        return;
      }
    }
  }

  std::vector<Bucket> buckets_;  // open addressing; a power of two in size, at most half full
  size_t mask_;
  size_t size_ = 0;
  std::array<Waiting, 32> waiting_;
  Waiting* waiting_end_ = waiting_.data();
};

}  // namespace fugu::inline in_csv
