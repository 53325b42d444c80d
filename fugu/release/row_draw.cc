#include "fugu/release/row_draw.h"

#include <algorithm>

#include "fugu/core/error.h"

namespace fugu::inline in_release {

RowDraw::RowDraw(const std::vector<ColumnRelease>& columns) {
  for (const ColumnRelease& column : columns) columns_.emplace_back(*column.mechanism);
}

RowDraw::RowDraw(const Plan& plan) : scenario_(&plan.scenario) {
  if (!draws_whole_rows(plan)) {
    for (const ColumnRelease& column : column_releases(plan)) columns_.emplace_back(*column.mechanism);
    return;
  }
  flows_ = std::get_if<Swap>(&plan.mechanism);
  swap_.emplace(*flows_);
  written_.resize(std::max<size_t>(plan.scenario.axes.size(), 1));
  for (size_t t = 0; t < flows_->strata.size(); ++t) {
    const SwapStratum& stratum = flows_->strata[t];
    for (int64_t atom : stratum.points) {
      for (size_t c = 0; c < written_.size(); ++c)
        written_[c].push_back(plan.scenario.is_joint() ? plan.scenario.points[static_cast<size_t>(atom)][c]
                                                       : atom);
    }
    strata_[stratum.known] = t;
  }
}

std::optional<uint32_t> RowDraw::place(const std::vector<std::string>* known, const Point& value) const {
  const auto stratum = strata_.find(known ? *known : std::vector<std::string>{});
  if (stratum == strata_.end()) return std::nullopt;
  const size_t t = stratum->second;
  int64_t atom = value.front();
  if (scenario_->is_joint()) {
    atom = index_of(scenario_->points, value);
    if (static_cast<size_t>(atom) == scenario_->points.size() ||
        scenario_->points[static_cast<size_t>(atom)] != value)
      return std::nullopt;
  }
  const std::vector<int64_t>& points = flows_->strata[t].points;
  const auto found = std::lower_bound(points.begin(), points.end(), atom);
  if (found == points.end() || *found != atom) return std::nullopt;
  return static_cast<uint32_t>(swap_->first_place(t) + static_cast<size_t>(found - points.begin()));
}

}  // namespace fugu::inline in_release
