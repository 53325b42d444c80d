#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>

#include "fugu/calibrate/methods.h"
#include "fugu/core/error.h"
#include "fugu/core/search.h"
#include "fugu/transport/transfer.h"
#include "fugu/verify/verify.h"

namespace fugu::inline in_calibrate {
namespace {

// lambda falls as the scale grows: exchanges keep more. So each line of the question has a least scale, and
// the largest of them serves all. One after the other raises the scale where the present one is not enough.
class SharpSolver {
 public:
  SharpSolver(const Task& task, const LineTransfer& transfer, Scale known)
      : task_(task),
        transfer_(transfer),
        known_(known),
        epsilon_(static_cast<double>(task.scenario.epsilon.value())),
        step_(static_cast<double>(task.scenario.lattice.step)),
        // On large input the last digits are not worth a certified pass each; 38 bits are 4e-12.
        digits_(transfer.work() < 200000 ? 53 : 38) {}

  Scale scale() const { return scale_; }

  void raise(const LineTransfer::Place& place) {
    if (scale_.value > 0) {
      // Doubles are off by far less than this margin; what is nearer is decided with intervals.
      if (transfer_.seems_enough(place, log_ratio(scale_.value), std::exp(epsilon_) * (1 - 1e-9))) return;
      if (holds(place, scale_)) return;
    }
    auto excess = [&](double log_scale) {
      const double loss = transfer_.guess(place, log_ratio(std::exp(log_scale)));
      return std::clamp(std::log(loss / epsilon_), -50.0, 50.0);
    };
    double high = std::log(known_.value), low = high - std::log(2.0);
    while (excess(low) < 0 && high - low < 200) low -= std::log(2.0);
    double guess = known_.value;
    if (excess(high) < 0 && excess(low) > 0) {
      std::uintmax_t steps = 60;
      auto [a, b] = boost::math::tools::toms748_solve(excess, low, high,
                                                      boost::math::tools::eps_tolerance<double>(51), steps);
      guess = std::exp((a + b) / 2);
    }
    scale_ =
        std::max(scale_, Scale{smallest_accepted([&](double value) { return holds(place, Scale{value}); },
                                                 guess, known_.value, digits_)});
  }

 private:
  double log_ratio(double scale) const { return -step_ / scale; }

  // For ideal noise, so that what is decided speaks of the scale; "cannot tell" counts as no.
  bool holds(const LineTransfer::Place& place, Scale scale) const {
    report(task_.progress, 0.5, "searching the scale");
    const auto decision = decide_with_more_bits(
        [&](Bits bits) {
          return transfer_.holds(place,
                                 exp(task_.family.log_weight(task_.scenario.lattice.step, scale, bits)),
                                 exp(Interval(task_.scenario.epsilon.value(), bits)));
        },
        128, 1024);
    return decision.value_or(false);
  }

  const Task& task_;
  const LineTransfer& transfer_;
  Scale known_;
  double epsilon_, step_;
  int digits_;
  Scale scale_{0};
};

// The harmonic condition is the transfer bound with one choice of what moves where, so its scale is enough.
// With a confidence the range is; where a model's masses are known within bounds, somewhat more than either.
Scale enough_for_sharp(const Task& task, const LineTransfer& transfer) {
  const Scenario& scenario = task.scenario;
  if (scenario.has_boxes()) return sensitivity_scale(task);
  Scale known = harmonic_scale(task);
  if (scenario.blur() == 0) return known;
  known.value = std::max(known.value, 1e-3 * static_cast<double>(scenario.lattice.step));
  for (int tries = 0; tries < 2000; ++tries, known.value *= tries < 40 ? 1 + 1e-12 * std::exp2(tries) : 1.5) {
    if (transfer.holds(exp(task.family.log_weight(scenario.lattice.step, known, 128)),
                       exp(Interval(scenario.epsilon.value(), 128)), task.progress) == true)
      return known;
    if (known.value > 1e200) break;
  }
  throw Error(ErrorKind::kGuarantee, "the laws are not known well enough for the sharp method",
              "use --method exact");
}

}  // namespace

Scale sharp_scale(const Task& task) {
  const Scenario& scenario = task.scenario;
  if (!scenario.delta.is_zero()) {
    throw Error(ErrorKind::kUsage, "--method: sharp promises pure epsilon, without a delta",
                "leave --delta out, or use --method exact");
  }
  const LineTransfer transfer(scenario);
  if (transfer.work() > kMostTransferWork) {
    throw Error(ErrorKind::kUsage, "--method: there are too many values and pairs of secrets for sharp",
                "name fewer --pairs, or use --method exact");
  }
  // Without noise nothing is kept but the value itself, and lambda is the raw loss.
  if (prove(scenario, task.released(Scale{0}), task.progress).holds) return Scale{0};
  const Scale known = enough_for_sharp(task, transfer);
  if (known.value == 0) return known;
  SharpSolver solver(task, transfer, known);
  for (const LineTransfer::Place& place : transfer.places()) solver.raise(place);
  // What doubles put aside is certified here, as the verifier will.
  const Rational ratio = task.drawn(solver.scale()).tail.value();
  const auto holds = decide_with_more_bits(
      [&](Bits bits) {
        return transfer.holds(Interval(ratio, bits), exp(Interval(scenario.epsilon.value(), bits)),
                              task.progress);
      },
      128, 1024);
  return holds == true ? solver.scale() : known;
}

}  // namespace fugu::inline in_calibrate
