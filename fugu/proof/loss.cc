#include "fugu/proof/loss.h"

#include <algorithm>

#include "fugu/proof/boxed_kernel.h"
#include "fugu/proof/grid_kernel.h"
#include "fugu/proof/judge.h"

namespace fugu {
namespace {

// All pairs: at each output only the largest and the smallest mass matter.
void weigh_all(const Prior& prior, size_t index, const Kernel& masses, Judge& judge,
               const Progress& progress) {
  std::vector<Interval> high = masses.of(prior.given[0], false).at, low = high;
  std::vector<uint32_t> highest(high.size(), 0), lowest(high.size(), 0);
  for (uint32_t s = 1; s < prior.given.size(); ++s) {
    report(progress, static_cast<double>(s) / static_cast<double>(prior.given.size()), "weighing secrets");
    std::vector<Interval> mass = masses.of(prior.given[s], false).at;
    for (size_t k = 0; k < mass.size(); ++k) {
      if (upper_less(high[k], mass[k])) {
        high[k] = mass[k];
        highest[k] = s;
      }
      if (lower_less(mass[k], low[k])) {
        low[k] = std::move(mass[k]);
        lowest[k] = s;
      }
    }
  }
  for (size_t k = 0; k < high.size(); ++k) {
    SecretPair pair{std::min(highest[k], lowest[k]), std::max(highest[k], lowest[k])};
    if (pair.first == pair.second) pair = {0, 1};  // all masses are the same here
    judge.weigh(high[k], low[k], {index, pair, masses.outputs()[k], false, 0});
  }
}

void weigh_list(const Prior& prior, size_t index, const std::vector<SecretPair>& pairs,
                const Kernel& masses, Judge& judge, const Progress& progress) {
  std::vector<std::vector<Interval>> mass(prior.given.size());
  double done = 0;
  for (auto [a, b] : pairs) {
    report(progress, done++ / static_cast<double>(pairs.size()), "weighing pairs");
    for (uint32_t s : {a, b}) {
      if (mass[s].empty()) mass[s] = masses.of(prior.given[s], false).at;
    }
    for (size_t k = 0; k < mass[a].size(); ++k) {
      const LossPeak peak{index, {a, b}, masses.outputs()[k], false, 0};
      judge.weigh(mass[a][k], mass[b][k], peak);
      judge.weigh(mass[b][k], mass[a][k], peak);
    }
  }
}

}  // namespace

std::optional<LossDecision> decide_loss(const Scenario& scenario, const MechanismBounds& mechanism,
                                        const Interval& epsilon, bool unsure_is_no,
                                        const Progress& progress) {
  Judge judge(epsilon);
  if (scenario.confidence) {
    weigh_boxes(scenario, mechanism, judge, progress);
    return judge.decision(unsure_is_no);
  }
  for (size_t p = 0; p < scenario.priors.size(); ++p) {
    const Prior& prior = scenario.priors[p];
    const auto masses = scenario.is_joint() ? joint_masses(scenario, prior, std::get<JointBounds>(mechanism))
                                            : output_masses(union_support(prior.given), mechanism);
    if (scenario.pairs.is_all()) {
      weigh_all(prior, p, *masses, judge, progress);
    } else {
      weigh_list(prior, p, scenario.pairs.list(prior.given.size()), *masses, judge, progress);
    }
  }
  return judge.decision(unsure_is_no);
}

}  // namespace fugu
