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

double power4(double x) { return x * x * (x * x); }

// The bound of proof/distance_bounds.h in doubles: fast, uncertified, used only to guess.
class MeanLoss {
 public:
  explicit MeanLoss(const Scenario& scenario) : scenario_(scenario), balances_(balances(scenario)) {
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
    std::vector<double> kept;
    double ratio = 0;
    for (size_t x = 0; x < from.size(); ++x) {
      double reached = 0;
      for (size_t other = 0; other < to.size(); ++other) {
        const double here = std::exp(-distance(p.atoms()[x], q.atoms()[other]) / scale);
        if (balances_) kept.push_back(here);
        reached += to[other] * here;
      }
      ratio += from[x] / reached;
    }
    return std::log(balances_ ? std::min(ratio, balanced(from, to, kept)) : ratio);
  }

  static double balanced(const std::vector<double>& from, const std::vector<double>& to,
                         const std::vector<double>& kept) {
    std::vector<double> v = to;
    double least = HUGE_VAL;
    for (int round = 0; round <= kBalances; ++round) {
      std::vector<double> come(to.size(), 0);
      for (size_t x = 0; x < from.size(); ++x) {
        const double* row = kept.data() + x * to.size();
        double reached = 0;
        for (size_t k = 0; k < to.size(); ++k) reached += v[k] * power4(row[k]) * row[k];
        if (!(reached > 0)) return HUGE_VAL;
        for (size_t k = 0; k < to.size(); ++k) come[k] += from[x] / reached * v[k] * power4(row[k]);
      }
      double most = 0;
      for (size_t k = 0; k < to.size(); ++k) {
        most = std::max(most, come[k] / to[k]);
        v[k] = come[k] > 0 ? v[k] * to[k] / come[k] : 0;
      }
      least = std::min(least, most);
    }
    return least;
  }

  double distance(int64_t a, int64_t b) const {
    const auto &x = scenario_.points[static_cast<size_t>(a)], &y = scenario_.points[static_cast<size_t>(b)];
    double sum = 0;
    for (size_t c = 0; c < x.size(); ++c) sum += units_[c] * static_cast<double>(std::llabs(x[c] - y[c]));
    return sum;
  }

  const Scenario& scenario_;
  const bool balances_;
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
  // The bound falls as the scale grows, but for what balancing leaves.
  double low = known * 0x1p-20, high = known;
  for (int step = 0; step < 40; ++step) {
    report(task.progress, 0.5, "searching the scale");
    const double middle = std::sqrt(low * high);
    (loss.at(middle) <= epsilon ? high : low) = middle;
  }
  return Scale{smallest_accepted(suffices, high, known, 24)};
}

}  // namespace fugu::inline in_calibrate
