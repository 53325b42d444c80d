// A short text as words filled up with zeros: no two texts without NULs have the same words.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "fugu/csv/record_parser.h"
#include "fugu/table/hot.h"

namespace fugu::inline in_csv {

template <size_t kWords>
class ShortText {
 public:
  static constexpr size_t kLongest = 8 * kWords;
  static_assert(kLongest <= Field::kReadable);

  FUGU_HOT static bool fits(std::string_view text) { return text.size() <= kLongest; }

  // Without asking how long it is: no processor guesses that. Precondition: it fits, and kReadable bytes may
  // be read from its beginning, as of a field of ChunkScanner.
  FUGU_HOT static void put(std::string_view text, uint64_t* words) {
    std::memcpy(words, text.data(), kLongest);
    for (size_t word = 0; word < kWords; ++word) words[word] &= kKept[text.size() + kLongest - 8 * word];
  }

 private:
  // kKept[kLongest + n] keeps the first n bytes of a word: none where n is negative, all above 8.
  static constexpr auto kKept = []() {
    std::array<uint64_t, 2 * kLongest + 1> kept{};
    for (size_t k = kLongest; k < kept.size(); ++k) {
      for (size_t byte = 0; byte < 8 && byte + kLongest < k; ++byte) {
        const size_t place = std::endian::native == std::endian::little ? byte : 7 - byte;
        kept[k] |= uint64_t{0xFF} << (8 * place);
      }
    }
    return kept;
  }();
};

}  // namespace fugu::inline in_csv
