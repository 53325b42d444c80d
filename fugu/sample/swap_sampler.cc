#include "fugu/sample/swap_sampler.h"

#include <algorithm>
#include <limits>

#include "fugu/core/error.h"

namespace fugu::inline in_sample {

SwapSampler::SwapSampler(const Swap& swap) {
  for (const SwapStratum& stratum : swap.strata) {
    const size_t first = points_.size();
    if (first + stratum.points.size() > std::numeric_limits<uint32_t>::max())
      throw Error(ErrorKind::kUsage, "the plan has more rows than can be drawn", "release fewer columns");
    first_places_.push_back(first);
    size_t next = 0;
    for (size_t x = 0; x < stratum.points.size(); ++x) {
      Point point{stratum.totals[x], 0, ends_.size()};
      for (; next < stratum.flows.size() && stratum.flows[next].from == x; ++next) {
        point.leaving += stratum.flows[next].weight;
        ends_.push_back(point.leaving);
        targets_.push_back(static_cast<uint32_t>(first + stratum.flows[next].to));
      }
      points_.push_back(point);
    }
  }
}

uint32_t SwapSampler::target(uint32_t place, uint64_t number) const {
  const auto first = ends_.begin() + static_cast<ptrdiff_t>(points_[place].first);
  const auto last = place + 1 < points_.size()
                        ? ends_.begin() + static_cast<ptrdiff_t>(points_[place + 1].first)
                        : ends_.end();
  return targets_[static_cast<size_t>(std::upper_bound(first, last, number) - ends_.begin())];
}

}  // namespace fugu::inline in_sample
