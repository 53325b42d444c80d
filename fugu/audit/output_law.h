// What is released for a value, as certified chances: of one column, held within bounds where the plan says
// so.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "fugu/audit/trials.h"
#include "fugu/release/column_map.h"

namespace fugu::inline in_audit {

class OutputLaw {
 public:
  // `levels` are the probabilities at which outputs are cut.
  OutputLaw(const ColumnRelease& column, std::vector<double> levels);

  // "At most `at`" is an event of about that level, and exactly this chance.
  struct Cut {
    int64_t at = 0;
    Chance chance;
  };
  // The cut of a level for a value; nothing where the bounds of the column hide it, or it always happens.
  std::optional<Cut> cut(int64_t value, size_t level) const;
  size_t levels() const { return levels_.size(); }

  // Whether that output has a positive probability for that value: exact.
  bool is_possible(int64_t value, int64_t output) const;
  // Whether every value is released as it is.
  bool changes_nothing() const;

  // That a value is released as it is. Nothing where it always or never is.
  std::optional<Chance> kept(int64_t value) const;
  // That the output's index is even. Nothing for channels and swaps, and where outputs are held within
  // bounds.
  std::optional<Chance> even(int64_t value) const;
  // That two rows get the same noise, in steps, the second in another column. Nothing as above.
  std::optional<Chance> same_noise_as(const OutputLaw& other) const;
  // That two rows with these values get the same output. Nothing where that would take long.
  std::optional<Chance> same_output(int64_t a, int64_t b) const;
  std::optional<Chance> same_output(int64_t value) const { return same_output(value, value); }

 private:
  Interval up_to(const Noise& noise, int64_t steps) const;
  Interval weight(const Noise& noise, int64_t steps) const;
  std::optional<Chance> same_within_bounds(const Noise& noise, int64_t a, int64_t b) const;
  std::optional<Chance> same_apart(const Noise& noise, int64_t steps) const;
  Interval stays(const Noise& noise, int64_t value) const;
  bool can_draw(const Noise& noise, int64_t steps) const;
  void cut_noise(const Noise& noise);
  void cut_channel(const Channel& channel);
  // What a point of a swap is released as, increasing; the point itself is there, perhaps with no weight.
  struct Becomes {
    int64_t output;
    uint64_t weight;
  };
  static std::vector<Becomes> becomes(const SwapStratum& swap, size_t point);
  std::optional<std::vector<Becomes>> becomes(int64_t value) const;
  // By output, held within the column's bounds, of a channel or a swap; empty for a value that it does not
  // know.
  std::map<int64_t, Integer> weights(int64_t value) const;
  void cut_swap(const SwapStratum& swap);
  void find_parity(const Noise& noise);
  bool hidden(int64_t at) const { return map_.clamps && (at < map_.range.first || at >= map_.range.second); }

  static constexpr Bits kAnyBits = 64;

  ColumnMap map_;
  Mechanism mechanism_;
  std::vector<double> levels_;
  // Of the noise: its tails' ratio, all its weight, that beyond the reach on either side, and the sums of its
  // weights.
  Interval tail_{kAnyBits}, total_{kAnyBits}, left_{kAnyBits}, right_{kAnyBits};
  std::vector<Interval> sums_;
  std::vector<Cut> noise_cuts_;                       // by level, for the value 0
  std::map<int64_t, std::vector<Cut>> channel_cuts_;  // by value and level
  std::optional<Chance> even_, odd_, same_;           // of the noise
};

// Levels for so many rows: sixteenths, and halves of halves at both ends until less than a row is expected.
std::vector<double> usual_levels(uint64_t rows);

}  // namespace fugu::inline in_audit
