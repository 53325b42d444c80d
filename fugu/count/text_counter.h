// How often each row of texts comes: one thread's counts, short texts in words, longer ones in a tally.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>

#include "fugu/csv/chunk_scan.h"
#include "fugu/csv/short_rows.h"
#include "fugu/table/tally.h"

namespace fugu::inline in_count {

// Rows of kShort fields; 0 for any number, which takes longer.
template <size_t kShort>
class TextCounter {
 public:
  // `buckets` as ShortRows has it: few where there are many counters.
  explicit TextCounter(size_t fields, size_t buckets = 512)
      : fields_(fields), shortest_(buckets), short_(buckets) {}

  // Takes a row; is_new(fields, place) is called for a new one, for short rows a little later.
  template <class IsNew>
  FUGU_HOT void add(const Field* fields, uint64_t place, const IsNew& is_new) {
    if constexpr (kShort > 0) {
      if (shortest_.fits(fields)) return shortest_.add(fields, place, of_texts(is_new));
      std::array<Field, kShort> copy;  // whose address may be taken: the fields themselves stay in registers
      for (size_t k = 0; k < kShort; ++k) copy[k] = fields[k];
      add_longer(copy.data(), place, is_new);
    } else {
      add_long(fields, place, is_new);
    }
  }

  // Counts the rows that wait. Call it at the end of a chunk.
  template <class IsNew>
  void flush(const IsNew& is_new) {
    if constexpr (kShort > 0) {
      shortest_.flush(of_texts(is_new));
      short_.flush(of_texts(is_new));
    }
  }

  // Calls use(key, count, place): the texts parted by NULs, and where they were first seen.
  template <class Use>
  void for_each(Use&& use) const {
    if constexpr (kShort > 0) {
      auto join = [&](const auto& texts, uint64_t count, uint64_t place) {
        std::string key = texts[0];
        for (size_t k = 1; k < kShort; ++k) key.append(1, '\0').append(texts[k]);
        use(std::move(key), count, place);
      };
      shortest_.for_each(join);
      short_.for_each(join);
    }
    for (const Tally::Entry& entry : long_.entries()) use(std::string(entry.key), entry.count, entry.line);
  }

 private:
  template <class IsNew>
  static auto of_texts(const IsNew& is_new) {
    return [&is_new](const auto& texts, uint64_t place) {
      std::array<Field, std::tuple_size_v<std::decay_t<decltype(texts)>>> fields;
      std::transform(texts.begin(), texts.end(), fields.begin(), [](std::string_view text) {
        return Field{text, {}};
      });
      is_new(fields.data(), place);
    };
  }

  template <class IsNew>
  __attribute__((noinline)) void add_longer(const Field* fields, uint64_t place, const IsNew& is_new) {
    if (short_.fits(fields)) {
      short_.add(fields, place, of_texts(is_new));
    } else {
      add_long(fields, place, is_new);
    }
  }

  template <class IsNew>
  void add_long(const Field* fields, uint64_t place, const IsNew& is_new) {
    key_.assign(fields[0].text);
    for (size_t k = 1; k < fields_; ++k) key_.append(1, '\0').append(fields[k].text);
    size_t known = long_.size();
    long_.add(key_, place);
    if (long_.size() > known) is_new(fields, place);
  }

  size_t fields_;
  ShortRows<kShort, 1> shortest_;  // rows whose texts have at most 8 bytes
  ShortRows<kShort, 2> short_;     // at most 16
  Tally long_;                     // the others
  std::string key_;
};

}  // namespace fugu::inline in_count
