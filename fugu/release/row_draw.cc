#include "fugu/release/row_draw.h"

#include <algorithm>

#include "fugu/core/error.h"

namespace fugu::inline in_release {

RowDraw::RowDraw(const std::vector<ColumnRelease>& columns) {
  for (const ColumnRelease& column : columns) columns_.emplace_back(*column.mechanism);
}

RowDraw::RowDraw(const Swap& swap, const std::vector<Point>& points, size_t columns)
    : points_(columns > 1 ? &points : nullptr), flows_(&swap) {
  add_places(columns);
}

RowDraw::RowDraw(const Plan& plan) : points_(plan.scenario.is_joint() ? &plan.scenario.points : nullptr) {
  if (!draws_whole_rows(plan)) {
    for (const ColumnRelease& column : column_releases(plan)) columns_.emplace_back(*column.mechanism);
    return;
  }
  flows_ = std::get_if<Swap>(&plan.mechanism);
  add_places(std::max<size_t>(plan.scenario.axes.size(), 1));
}

void RowDraw::add_places(size_t columns) {
  swap_.emplace(*flows_);
  written_.resize(columns);
  for (size_t t = 0; t < flows_->strata.size(); ++t) {
    const SwapStratum& stratum = flows_->strata[t];
    for (int64_t atom : stratum.points) {
      for (size_t c = 0; c < written_.size(); ++c)
        written_[c].push_back(points_ ? (*points_)[static_cast<size_t>(atom)][c] : atom);
    }
    strata_[stratum.known] = t;
  }
}

std::optional<uint32_t> RowDraw::place(const std::vector<std::string>* known, const Point& value) const {
  const auto stratum = strata_.find(known ? *known : std::vector<std::string>{});
  if (stratum == strata_.end()) return std::nullopt;
  const size_t t = stratum->second;
  int64_t atom = value.front();
  if (points_) {
    atom = index_of(*points_, value);
    if (static_cast<size_t>(atom) == points_->size() || (*points_)[static_cast<size_t>(atom)] != value)
      return std::nullopt;
  }
  const std::vector<int64_t>& points = flows_->strata[t].points;
  const auto found = std::lower_bound(points.begin(), points.end(), atom);
  if (found == points.end() || *found != atom) return std::nullopt;
  return static_cast<uint32_t>(swap_->first_place(t) + static_cast<size_t>(found - points.begin()));
}

}  // namespace fugu::inline in_release
