// Exact inversion: the outcome that a uniform number falls on, by its leading digits, or more when they tie.
//
// The table holds the leading digits of every threshold and a guide: each cell of equal leading digits knows
// the only threshold inside it, so that a draw is one lookup, one comparison, one addition. A number whose
// leading digits are those of a threshold is compared digit by digit with the exact threshold until they
// part. Nothing is rounded: what is drawn is exactly the law of the thresholds, with any number of digits.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "fugu/sample/thresholds.h"
#include "fugu/sample/words.h"

namespace fugu::inline in_sample {

class ThresholdTable {
 public:
  static constexpr unsigned kDigits = 32;  // leading binary digits; fewer let a test try them all
  static constexpr unsigned kDefaultGuide = 0;

  // The guide has 2^guide cells. Precondition: guide <= digits <= 32.
  explicit ThresholdTable(std::shared_ptr<const Thresholds> thresholds, unsigned digits = kDigits,
                          unsigned guide = kDefaultGuide);

  size_t outcomes() const { return leading_.size() + 1; }

  // One draw. Takes the highest digits of a word, and of a further word at each tie.
  template <WordSource Words>
  uint32_t draw(Words& words) const {
    return find(static_cast<uint32_t>(words.word() >> 32) & mask_, MoreWords(words));
  }
  uint32_t draw(MoreWords more) const { return find(static_cast<uint32_t>(more.word() >> 32) & mask_, more); }

  // use(k, outcome) for so many draws, one for each half of each word, the high half first.
  // Precondition: words.size() == (draws + 1) / 2.
  template <class Use>
  void each(std::span<const uint64_t> words, size_t draws, MoreWords more, const Use& use) const {
    for (size_t k = 0; k + 1 < draws; k += 2) {
      const uint64_t word = words[k / 2];
      use(k, find(static_cast<uint32_t>(word >> 32) & mask_, more));
      use(k + 1, find(static_cast<uint32_t>(word) & mask_, more));
    }
    if (draws % 2 != 0) use(draws - 1, find(static_cast<uint32_t>(words.back() >> 32) & mask_, more));
  }
  // The same into `out`.
  void draw(std::span<const uint64_t> words, std::span<uint32_t> out, MoreWords more) const {
    each(words, out.size(), more, [&](size_t k, uint32_t outcome) { out[k] = outcome; });
  }

 private:
  // Outcome `below`, and one more from `threshold` on. Where `below` has kCrowded, more thresholds follow.
  struct Cell {
    uint32_t threshold;
    uint32_t below;
  };
  static constexpr uint32_t kCrowded = uint32_t{1} << 31;

  uint32_t find(uint32_t digits, MoreWords more) const {
    const Cell cell = cells_[digits >> shift_];
    const uint32_t found = cell.below + (digits >= cell.threshold);
    const bool decided = (digits != cell.threshold) & (cell.below < kCrowded);
    return decided ? found : search(digits, more);
  }
  uint32_t search(uint32_t digits, MoreWords more) const;
  uint32_t resolve(size_t low, size_t high, uint32_t digits, MoreWords more) const;

  std::shared_ptr<const Thresholds> thresholds_;
  unsigned digits_;
  uint32_t mask_;                  // of the digits in use
  unsigned shift_;                 // from digits to a cell
  std::vector<uint32_t> leading_;  // of each threshold, in the highest bits
  std::vector<Cell> cells_;
};

}  // namespace fugu::inline in_sample
