#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "fugu/calibrate/methods.h"
#include "fugu/core/search.h"
#include "fugu/proof/distance_bounds.h"

namespace fugu::inline in_calibrate {
namespace {

constexpr Bits kMeanBits = 128;

// The bound of proof/distance_bounds.h in doubles: fast, uncertified, used only to guess.
class MeanLoss {
 public:
  explicit MeanLoss(const Scenario& scenario) : scenario_(scenario) {
    for (const Axis& axis : scenario.axes)
      units_.push_back(static_cast<double>(Rational(axis.lattice.step / axis.weight)));
  }

  double at(double scale) const {
    double loss = 0;
    for (const Prior& prior : scenario_.priors) {
      for (auto [a, b] : scenario_.pairs.list(scenario_.secrets.size())) {
        loss = std::max({loss, between(prior.by_secret[a], prior.by_secret[b], scale),
                         between(prior.by_secret[b], prior.by_secret[a], scale)});
      }
    }
    return loss;
  }

 private:
  double between(const Distribution& p, const Distribution& q, double scale) const {
    const std::vector<double> from = p.approximate_masses(), to = q.approximate_masses();
    double ratio = 0;
    for (size_t x = 0; x < from.size(); ++x) {
      double reached = 0;
      for (size_t other = 0; other < to.size(); ++other)
        reached += to[other] * std::exp(-distance(p.atoms()[x], q.atoms()[other]) / scale);
      ratio += from[x] / reached;
    }
    return std::log(ratio);
  }

  double distance(int64_t a, int64_t b) const {
    const auto &x = scenario_.points[static_cast<size_t>(a)], &y = scenario_.points[static_cast<size_t>(b)];
    double sum = 0;
    for (size_t c = 0; c < x.size(); ++c) sum += units_[c] * static_cast<double>(std::llabs(x[c] - y[c]));
    return sum;
  }

  const Scenario& scenario_;
  std::vector<double> units_;
};

}  // namespace

Scale mean_scale(const Task& task) {
  auto suffices = [&](double value) {
    report(task.progress, 0.9, "proving the scale");
    const auto bound =
        mean_bound(task.scenario, std::get<JointNoise>(task.released(Scale{value})), kMeanBits);
    return bound && bound->loss &&
           certainly_at_most(*bound->loss, Interval(task.scenario.epsilon.value(), kMeanBits));
  };
  const double known = sensitivity_scale(task).value;
  if (known == 0 || suffices(0)) return Scale{0};
  const MeanLoss loss(task.scenario);
  const auto epsilon = static_cast<double>(task.scenario.epsilon.value());
  // The bound falls as the scale grows.
  double low = known * 0x1p-20, high = known;
  for (int step = 0; step < 40; ++step) {
    report(task.progress, 0.5, "searching the scale");
    const double middle = std::sqrt(low * high);
    (loss.at(middle) <= epsilon ? high : low) = middle;
  }
  return Scale{smallest_accepted(suffices, high, known, 24)};
}

}  // namespace fugu::inline in_calibrate
