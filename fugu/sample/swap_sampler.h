// Draws what rows that trade places are released as, with exactly the probabilities of the flows.
//
// The points of all strata are numbered one after another: a place is such a number, and so is a draw.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fugu/mechanism/swap.h"
#include "fugu/sample/words.h"

namespace fugu::inline in_sample {

class SwapSampler {
 public:
  explicit SwapSampler(const Swap& swap);

  size_t places() const { return points_.size(); }
  // The first place of a stratum, by its number.
  size_t first_place(size_t stratum) const { return first_places_[stratum]; }

  // Precondition: place < places().
  template <WordSource Words>
  uint32_t draw(Words& words, uint32_t place) const {
    const Point& point = points_[place];
    if (point.leaving == 0) return place;
    const uint64_t number = below(words, point.total);
    return number >= point.leaving ? place : target(place, number);
  }
  template <WordSource Words>
  void release(Words& words, std::span<int64_t> places) const {
    for (int64_t& place : places) place = draw(words, static_cast<uint32_t>(place));
  }

 private:
  struct Point {
    uint64_t total, leaving;  // of the total, what goes elsewhere
    size_t first;             // of its flows
  };

  // A uniform number below `bound`, exactly: the high word of a product, drawn again where the low word shows
  // that some results would be one more time as likely.
  template <WordSource Words>
  static uint64_t below(Words& words, uint64_t bound) {
    for (;;) {
      const unsigned __int128 product = static_cast<unsigned __int128>(words.word()) * bound;
      const auto low = static_cast<uint64_t>(product);
      if (low >= bound || low >= -bound % bound) return static_cast<uint64_t>(product >> 64);
    }
  }
  // The flow that a number below what leaves falls on.
  uint32_t target(uint32_t place, uint64_t number) const;

  std::vector<Point> points_;
  std::vector<uint64_t> ends_;     // by flow: the weights of its point up to and with it
  std::vector<uint32_t> targets_;  // by flow: a place
  std::vector<size_t> first_places_;
};

}  // namespace fugu::inline in_sample
