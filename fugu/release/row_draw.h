// What rows are released as: each column's value by its own mechanism, or whole rows that trade places.
//
//   const RowDraw draw(plan);
//   index[0].push_back(draw.is_whole() ? *draw.place(known, value) : value[0]);   // and so on, row by row
//   draw.release(random, index);
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fugu/plan/plan.h"
#include "fugu/release/column_map.h"
#include "fugu/sample/mechanism_sampler.h"

namespace fugu::inline in_release {

class RowDraw {
 public:
  // Error (usage) when a tail is wider than can be drawn. The plan must outlive it.
  explicit RowDraw(const Plan& plan);
  // Of columns by themselves.
  explicit RowDraw(const std::vector<ColumnRelease>& columns);
  // Of whole rows of so many columns; of several, `points` are the values of the atoms. Both must outlive it.
  RowDraw(const Swap& swap, const std::vector<Point>& points, size_t columns);

  // Whether a row is drawn as a whole, by its place among all that trade places.
  bool is_whole() const { return swap_.has_value(); }
  // Of people with these known texts (as Prior has them), null where nothing is known. Nullopt for a row that
  // the plan does not know.
  std::optional<uint32_t> place(const std::vector<std::string>* known, const Point& value) const;

  // By column, the rows' values, and then what is released; of whole rows their places in the first, the
  // others empty.
  template <WordSource Words>
  void release(Words& words, std::vector<std::vector<int64_t>>& index) const;

 private:
  void add_places(size_t columns);

  const std::vector<Point>* points_ = nullptr;  // of several columns
  std::vector<MechanismSampler> columns_;
  std::optional<SwapSampler> swap_;
  std::map<std::vector<std::string>, size_t> strata_;  // by what is known
  std::vector<std::vector<int64_t>> written_;          // by column, by place: its value
  const Swap* flows_ = nullptr;
};

template <WordSource Words>
void RowDraw::release(Words& words, std::vector<std::vector<int64_t>>& index) const {
  if (!swap_) {
    for (size_t c = 0; c < columns_.size(); ++c) columns_[c].release(words, index[c]);
    return;
  }
  swap_->release(words, index[0]);
  for (size_t c = index.size(); c-- > 0;) {
    index[c].resize(index[0].size());
    for (size_t row = 0; row < index[0].size(); ++row)
      index[c][row] = written_[c][static_cast<size_t>(index[0][row])];
  }
}

}  // namespace fugu::inline in_release
