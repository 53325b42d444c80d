// Which known row a row of short texts is: one probe, no copies, no hashing of strings.
#pragma once

#include <cstdint>

#include "fugu/csv/short_text.h"
#include "fugu/table/number_map.h"

namespace fugu::inline in_csv {

// Rows of up to kMostFields texts of up to 16 bytes each, which hold no NUL. Others are never known here.
class RowCache {
 public:
  static constexpr uint32_t kNone = NumberMap<1>::kNone;
  static constexpr size_t kMostFields = 3;

  explicit RowCache(size_t fields) : fields_(fields) {}

  // The number of the row: make() where it is not known. Precondition: the texts are ChunkScanner's.
  template <class Make>
  FUGU_HOT uint32_t get(const Field* fields, const Make& make) {
    switch (fields_) {
      case 1:
        return get<1>(fields, shortest_one_, short_one_, make);
      case 2:
        return get<2>(fields, shortest_two_, short_two_, make);
      case 3:
        return get<3>(fields, shortest_three_, short_three_, make);
      default:
        return make();
    }
  }

 private:
  template <size_t kFields, class Make>
  FUGU_HOT static uint32_t get(const Field* fields, NumberMap<kFields>& shortest,
                               NumberMap<2 * kFields>& others, const Make& make) {
    if (fit<kFields, 1>(fields)) [[likely]]
      return shortest.get(key<kFields, 1>(fields), make);
    return get_longer<kFields>(fields, others, make);
  }
  template <size_t kFields, class Make>
  __attribute__((noinline)) static uint32_t get_longer(const Field* fields, NumberMap<2 * kFields>& others,
                                                       const Make& make) {
    return fit<kFields, 2>(fields) ? others.get(key<kFields, 2>(fields), make) : make();
  }

  template <size_t kFields, size_t kWords>
  FUGU_HOT static bool fit(const Field* fields) {
    bool all = true;
    for (size_t k = 0; k < kFields; ++k) all &= ShortText<kWords>::fits(fields[k].text);
    return all;
  }
  template <size_t kFields, size_t kWords>
  FUGU_HOT static std::array<uint64_t, kFields * kWords> key(const Field* fields) {
    std::array<uint64_t, kFields * kWords> words;
    for (size_t k = 0; k < kFields; ++k) ShortText<kWords>::put(fields[k].text, &words[k * kWords]);
    return words;
  }

  size_t fields_;
  // By the number of fields; the first of each pair for texts of at most 8 bytes.
  NumberMap<1> shortest_one_;
  NumberMap<2> short_one_, shortest_two_;
  NumberMap<3> shortest_three_;
  NumberMap<4> short_two_;
  NumberMap<6> short_three_;
};

}  // namespace fugu::inline in_csv
