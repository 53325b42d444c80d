#include "fugu/calibrate/scan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fugu/calibrate/pure_gaussian.h"
#include "fugu/calibrate/shape_loss.h"
#include "fugu/core/error.h"
#include "fugu/core/search.h"
#include "fugu/verify/verify.h"

namespace fugu {
namespace {

constexpr double kFine = 0.99, kCoarse = 0.9;  // ratios of one scanned scale to the one before

// A scale that the guess accepts, to scan down from.
double start_of_scan(const Task& task, const ShapeLoss& loss) {
  const double step = static_cast<double>(task.scenario.lattice.step);
  double scale = step;
  if (task.family.has_cost_bound()) {
    scale = harmonic_scale(task).value;
  } else if (!task.scenario.delta.is_zero()) {
    scale = relaxed_scale(task).value;
  }
  scale = std::max(scale, step / 8);
  while (loss.over_budget(Scale{scale}) > 1)
    scale /= kCoarse;  // ends at the family's longest table at the latest
  return scale;
}

}  // namespace

Scale scan_for_least_scale(const Task& task) {
  if (!task.family.has_cost_bound() && task.scenario.delta.is_zero()) require_attainable(task.scenario);
  const ShapeLoss loss(task);
  const double step = static_cast<double>(task.scenario.lattice.step);
  const double top = start_of_scan(task, loss);
  // Down to where even the first step's weight is negligible: there the column is as good as raw, which was
  // refused.
  double best = top, refused = 0, last = top;
  for (double scale = top; task.family.log_weight(step, Scale{scale}) > -60;
       scale *= last > 4 * step ? kCoarse : kFine) {
    report(task.progress, 0.5, "scanning scales");
    if (loss.over_budget(Scale{scale}) <= 1) {
      best = scale;
      refused = 0;
    } else if (refused == 0) {
      refused = scale;
    }
    last = scale;
  }
  if (refused == 0) refused = last;
  // Between the least accepted of the scan and the refused one below it.
  double low = refused, high = best;
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
    if (widen > 1) {
      throw Error(ErrorKind::kGuarantee,
                  fmt::format("no scale of {} noise could be proved", task.family.name()),
                  "use --noise laplace, or --method kantorovich");
    }
    known = high * (1 + widen);
  }
  return Scale{smallest_accepted(proved, high, known, 44)};
}

}  // namespace fugu
