// Draws noise with exactly the probabilities of its shape (docs/math.md, section 13).
//
//   NoiseSampler sampler(noise);    // shared by all threads
//   SecureRandom random;            // one for each thread
//   std::vector<int64_t> steps(rows);
//   sampler.draw(random, steps);    // in lattice steps
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "fugu/mechanism/noise.h"
#include "fugu/sample/noise_thresholds.h"
#include "fugu/sample/threshold_table.h"
#include "fugu/sample/wiped.h"
#include "fugu/sample/words.h"

namespace fugu::inline in_sample {

class NoiseSampler {
 public:
  // Precondition: the invariants of Noise. Error (usage) when the tail is wider than kMaxTailWidth steps.
  explicit NoiseSampler(const Noise& noise) : NoiseSampler(noise, layout_of(noise)) {}
  // The law is the same for any layout that fits the noise, and for any number of digits in the tables.
  NoiseSampler(const Noise& noise, NoiseLayout layout, unsigned digits = ThresholdTable::kDigits);

  // No noise takes no words. Error (io) from the source of words; Error (bug) for a draw of 2^62 steps, which
  // has probability below e^-1000.
  template <WordSource Words>
  void draw(Words& words, std::span<int64_t> out) const {
    std::fill(out.begin(), out.end(), 0);
    add(words, out);
  }
  // Adds a draw to each value.
  template <WordSource Words>
  void add(Words& words, std::span<int64_t> values) const;
  template <WordSource Words>
  int64_t draw(Words& words) const {
    return is_none_ ? 0 : finish(from_zero(middle_.draw(words)), MoreWords(words));
  }

 private:
  static constexpr size_t kChunk = 512;
  struct Scratch {
    WipedArray<uint64_t, (1 + kMaxInsideDigits) * kChunk / 2> words;
    WipedArray<int64_t, kChunk> inside;
  };

  void place(std::span<const uint64_t> words, std::span<int64_t> values, Scratch& scratch,
             MoreWords more) const;
  void place_in_blocks(std::span<const uint64_t> words, std::span<int64_t> values, std::span<int64_t> inside,
                       MoreWords more) const;
  int64_t finish(int64_t from_zero, MoreWords more) const;
  int64_t draw_inside(MoreWords more) const;
  int64_t start_afresh(bool below, MoreWords more) const;
  int64_t number(int64_t from_zero, int64_t inside) const;
  int64_t from_zero(uint32_t outcome) const { return static_cast<int64_t>(outcome) - zero_; }

  NoiseLayout layout_;
  bool is_none_;
  bool has_wide_blocks_;  // so that every draw needs a place inside its block
  int64_t zero_;          // the outcome that is 0
  int64_t last_;          // the farthest outcome from it that is no fresh start
  ThresholdTable middle_;
  std::vector<ThresholdTable> inside_;           // a table for each digit
  std::unique_ptr<const ThresholdTable> fresh_;  // null without tails
};

template <WordSource Words>
void NoiseSampler::add(Words& words, std::span<int64_t> values) const {
  if (is_none_) return;
  const size_t tables = has_wide_blocks_ ? 1 + inside_.size() : 1;
  Scratch scratch;
  while (!values.empty()) {
    const size_t size = std::min(values.size(), kChunk);
    const std::span<uint64_t> taken = scratch.words.first((size + 1) / 2 * tables);
    words.fill(taken);
    place(taken, values.first(size), scratch, MoreWords(words));
    values = values.subspan(size);
  }
}

}  // namespace fugu::inline in_sample
