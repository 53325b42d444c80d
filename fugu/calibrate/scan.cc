#include "fugu/calibrate/scan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "fugu/calibrate/pure_gaussian.h"
#include "fugu/calibrate/shape_loss.h"
#include "fugu/core/error.h"
#include "fugu/core/search.h"
#include "fugu/verify/verify.h"

namespace fugu::inline in_calibrate {
namespace {

constexpr double kFine = 0.99, kCoarse = 0.9;  // ratios of one scanned scale to the one before

// A scale that the guess accepts, to scan down from.
double start_of_scan(const Task& task, const ShapeLoss& loss) {
  const double step = static_cast<double>(task.scenario.lattice.step);
  double scale = step;
  const Scenario plain = plain_scenario(task.scenario);
  const Task odds{plain, task.family, task.progress, task.farthest, task.optimum};
  if (task.family.has_cost_bound()) {
    scale = harmonic_scale(odds).value;
  } else if (!task.scenario.delta.is_zero()) {
    scale = relaxed_scale(odds).value;
  }
  scale = std::max(scale, step / 8);
  while (loss.over_budget(Scale{scale}) > 1)
    scale /= kCoarse;  // ends at the family's longest table at the latest
  return scale;
}

// Scales that the guess accepts, down to `accepted`, and one below them that it refuses.
struct Region {
  double accepted, refused;
};

// Where over_budget is least between two scales, by golden sections; ends as soon as it is accepted.
double lowest_between(const ShapeLoss& loss, double low, double high) {
  const double golden = (std::sqrt(5.0) - 1) / 2;
  auto at = [&](double scale) { return loss.over_budget(Scale{scale}); };
  double left = high - golden * (high - low), right = low + golden * (high - low);
  double at_left = at(left), at_right = at(right);
  while (high - low > 1e-9 * high && at_left > 1 && at_right > 1) {
    if (at_left < at_right) {
      high = right;
      right = left;
      at_right = at_left;
      left = high - golden * (high - low);
      at_left = at(left);
    } else {
      low = left;
      left = right;
      at_left = at_right;
      right = low + golden * (high - low);
      at_right = at(right);
    }
  }
  return at_left < at_right ? left : right;
}

// From the top down to where even the first step's weight is negligible: there the column is as good as raw,
// which was refused. Between two scanned scales there may be a region that is narrower than their distance:
// it shows as a scale that is nearer to the budget than both its neighbours, and is looked for there.
std::vector<Region> scanned_regions(const Task& task, const ShapeLoss& loss) {
  const double step = static_cast<double>(task.scenario.lattice.step);
  const double top = start_of_scan(task, loss);
  std::vector<Region> regions{{top, 0}};
  double above = top, last = top, over_above = 0, over_last = 0;  // the two scales before
  for (double scale = top; task.family.log_weight(step, Scale{scale}) > -60;
       scale *= scale > 4 * step ? kCoarse : kFine) {
    report(task.progress, 0.5, "scanning scales");
    const double over = loss.over_budget(Scale{scale});
    if (over_last > 1 && over > over_last && over_above > over_last) {
      const double lowest = lowest_between(loss, scale, above);
      if (loss.over_budget(Scale{lowest}) <= 1) regions.push_back({lowest, scale});
    }
    if (over <= 1) {
      if (regions.back().refused != 0) regions.push_back({scale, 0});
      regions.back().accepted = scale;
    } else if (regions.back().refused == 0) {
      regions.back().refused = scale;
    }
    above = std::exchange(last, scale);
    over_above = std::exchange(over_last, over);
  }
  if (regions.back().refused == 0) regions.back().refused = last;
  return regions;
}

// The least scale of the region that is proved, next to one that is not; nullopt when none is until so much
// wider.
std::optional<Scale> least_proved(const Task& task, const ShapeLoss& loss, const Region& region,
                                  double widest) {
  double low = region.refused, high = region.accepted;
  while (high / low > 1 + 1e-13) {
    const double middle = std::sqrt(low * high);
    if (middle <= low || middle >= high) break;
    (loss.over_budget(Scale{middle}) <= 1 ? high : low) = middle;
  }
  // The guess is off by rounding; the verifier has the last word, on the integers that would be drawn.
  auto proved = [&](double scale) {
    report(task.progress, 0.9, "proving the scale");
    return prove(task.scenario, task.drawn(Scale{scale}), task.progress).holds;
  };
  double known = high;
  for (double widen = 1e-12; !proved(known); widen *= 4) {
    if (widen > widest) return std::nullopt;
    known = high * (1 + widen);
  }
  return Scale{smallest_accepted(proved, high, known, 44)};
}

}  // namespace

Scale scan_for_least_scale(const Task& task) {
  if (!task.family.has_cost_bound() && task.scenario.delta.is_zero() && task.scenario.is_plain())
    require_attainable(task.scenario);
  const ShapeLoss loss(task);
  const std::vector<Region> regions = scanned_regions(task, loss);
  for (size_t k = regions.size(); k-- > 0;) {
    // A narrow region may be one of rounding only: then the next above it.
    if (const auto scale = least_proved(task, loss, regions[k], k == 0 ? 1 : 1e-3)) return *scale;
  }
  throw Error(ErrorKind::kGuarantee, fmt::format("no scale of {} noise could be proved", task.family.name()),
              "use --noise laplace, or --method kantorovich");
}

}  // namespace fugu::inline in_calibrate
