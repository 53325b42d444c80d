// Which known row a row of short texts is: one probe, no copies, no hashing of strings.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

#include "fugu/table/number_map.h"

namespace fugu::inline in_release {

// Rows of at most two texts of at most 16 bytes each. Texts hold no NUL, so padding with NULs tells them
// apart.
class RowCache : public NumberMap<4> {
 public:
  static constexpr size_t kLongest = 16;

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

 private:
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
};

}  // namespace fugu::inline in_release
