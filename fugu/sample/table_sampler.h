// Draws one of n outcomes in proportion to integer weights: a row of a channel. Exact.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "fugu/sample/threshold_table.h"
#include "fugu/sample/wiped.h"
#include "fugu/sample/words.h"

namespace fugu::inline in_sample {

class TableSampler {
 public:
  // Error (usage) when a weight is negative or none is positive.
  explicit TableSampler(std::span<const Integer> weights, unsigned digits = ThresholdTable::kDigits)
      : table_(std::make_shared<RowThresholds>(weights), digits) {}

  template <WordSource Words>
  uint32_t draw(Words& words) const {
    return table_.draw(words);
  }
  template <WordSource Words>
  void draw(Words& words, std::span<uint32_t> out) const {
    WipedArray<uint64_t, 256> block;
    while (!out.empty()) {
      const size_t size = std::min(out.size(), 2 * block.size());
      const std::span<uint64_t> taken = block.first((size + 1) / 2);
      words.fill(taken);
      table_.draw(taken, out.first(size), MoreWords(words));
      out = out.subspan(size);
    }
  }

 private:
  ThresholdTable table_;
};

}  // namespace fugu::inline in_sample
