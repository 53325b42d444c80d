// Counts rows of short texts, with the place where each was first seen: one probe per row.
//
// A text of at most 8 kWords bytes without NULs is so many words, filled up with zeros, and no two texts have
// the same words. Longer ones are the caller's to count elsewhere.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "fugu/table/hot.h"
#include "fugu/table/record_parser.h"

namespace fugu {

template <size_t kFields, size_t kWords>
class ShortRows {
 public:
  static constexpr size_t kLongest = 8 * kWords;
  static_assert(kLongest <= Field::kReadable);
  using Texts = std::array<std::string, kFields>;

  ShortRows() : slots_(1024), mask_(slots_.size() - 1) {}

  FUGU_HOT static bool fits(const Field* fields) {
    bool all = true;
    for (size_t k = 0; k < kFields; ++k) all &= fields[k].text.size() <= kLongest;
    return all;
  }

  // Takes a row that fits, of texts as ChunkScanner yields them. It is counted a little later, when its slot
  // had time to come from memory; then is_new(texts, place) is called if it is new.
  template <class IsNew>
  FUGU_HOT void add(const Field* fields, uint64_t place, IsNew&& is_new) {
    Waiting& row = waiting_[waiting_size_];
    for (size_t k = 0; k < kFields; ++k) {
      std::memcpy(&row.words[k * kWords], fields[k].text.data(), kLongest);
      for (size_t word = 0; word < kWords; ++word) {
        row.words[k * kWords + word] &= kKept[fields[k].text.size() + kLongest - 8 * word];
      }
    }
    row.place = place;
    row.hash = hash(row.words);
    __builtin_prefetch(&slots_[row.hash & mask_], 1);
    if (++waiting_size_ == waiting_.size()) flush(is_new);
  }

  // Counts the rows that wait. Call it at the end of a chunk.
  template <class IsNew>
  __attribute__((noinline)) void flush(IsNew&& is_new) {
    size_t size = std::exchange(waiting_size_, 0);
    for (size_t k = 0; k < size; ++k) {
      const Waiting& row = waiting_[k];
      if (count(row)) is_new(texts_of(row.words), row.place);
    }
  }

  // Calls use(texts, count, place) for each row, in no order.
  template <class Use>
  void for_each(Use&& use) const {
    for (const Entry& entry : slots_) {
      if (entry.count == 0) continue;
      use(texts_of(entry.words), entry.count, entry.place);
    }
  }

 private:
  using Words = std::array<uint64_t, kWords * kFields>;
  struct Entry {
    Words words;
    uint64_t count = 0;
    uint64_t place = 0;  // as given when the row was first added
  };
  struct Waiting {
    Words words;
    uint64_t place;
    uint64_t hash;
  };

  bool count(const Waiting& row) {
    for (size_t slot = row.hash & mask_;; slot = (slot + 1) & mask_) {
      Entry& entry = slots_[slot];
      if (entry.count == 0) {
        entry = {row.words, 1, row.place};
        if (++size_ * 2 > slots_.size()) grow();
        return true;
      }
      if (same(entry.words, row.words)) {
        ++entry.count;
        return false;
      }
    }
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

  // kKept[kLongest + n] keeps the first n bytes of a word: none where n is negative, all above 8.
  static constexpr auto kKept = [] {
    std::array<uint64_t, 2 * kLongest + 1> kept{};
    for (size_t k = kLongest; k < kept.size(); ++k) {
      for (size_t byte = 0; byte < 8 && byte + kLongest < k; ++byte) {
        size_t place = std::endian::native == std::endian::little ? byte : 7 - byte;
        kept[k] |= uint64_t{0xFF} << (8 * place);
      }
    }
    return kept;
  }();

  // Comparing all words beats comparing one after the other, or calling memcmp.
  FUGU_HOT static bool same(const Words& a, const Words& b) {
    uint64_t differences = 0;
    for (size_t k = 0; k < a.size(); ++k) differences |= a[k] ^ b[k];
    return differences == 0;
  }

  FUGU_HOT static uint64_t hash(const Words& words) {
    constexpr uint64_t kFirst = 0xa0761d6478bd642fULL, kSecond = 0xe7037ed1a0b428dbULL;
    uint64_t result = 0;
    for (size_t k = 0; k < words.size(); k += 2) {
      uint64_t other = k + 1 < words.size() ? words[k + 1] : 0;
      auto product = static_cast<unsigned __int128>(words[k] ^ kFirst ^ result) * (other ^ kSecond);
      result = static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
    }
    return result;
  }

  void grow() {
    std::vector<Entry> old(slots_.size() * 2);
    old.swap(slots_);
    mask_ = slots_.size() - 1;
    for (const Entry& entry : old) {
      if (entry.count == 0) continue;
      size_t slot = hash(entry.words) & mask_;
      while (slots_[slot].count > 0) slot = (slot + 1) & mask_;
      slots_[slot] = entry;
    }
  }

  std::vector<Entry> slots_;  // open addressing; a power of two in size, at most half full
  size_t mask_;
  size_t size_ = 0;
  std::array<Waiting, 128> waiting_;
  size_t waiting_size_ = 0;
};

}  // namespace fugu
