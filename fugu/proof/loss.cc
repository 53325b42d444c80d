#include "fugu/proof/loss.h"

#include <algorithm>

#include "fugu/proof/judge.h"

namespace fugu::inline in_proof {
namespace {

// All pairs of known laws: at each output only the largest and the smallest mass matter.
void weigh_all(const Prior& prior, size_t index, const Kernel& kernel, Judge& judge,
               const Progress& progress) {
  std::vector<Interval> high = kernel.of(prior.by_secret[0], false).at, low = high;
  std::vector<uint32_t> highest(high.size(), 0), lowest(high.size(), 0);
  for (uint32_t s = 1; s < prior.by_secret.size(); ++s) {
    report(progress, static_cast<double>(s) / static_cast<double>(prior.by_secret.size()),
           "weighing secrets");
    std::vector<Interval> mass = kernel.of(prior.by_secret[s], false).at;
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
    judge.weigh(high[k], low[k], {index, pair, kernel.outputs()[k], false, 0});
  }
}

// Pair by pair: the most of one against the least of the other, both ways.
void weigh_list(const Claim& claim, size_t p, const BoxedLaws* boxed, const Kernel& kernel, Judge& judge,
                const Progress& progress) {
  std::vector<Masses> mass(claim.secrets.size());
  const auto pairs = claim.pairs.list(claim.secrets.size());
  double done = 0;
  for (auto [a, b] : pairs) {
    report(progress, done++ / static_cast<double>(pairs.size()), "weighing pairs");
    for (uint32_t s : {a, b}) {
      if (mass[s].at.empty()) mass[s] = kernel.of(law_of(claim, p, s, boxed), false);
    }
    for (size_t k = 0; k < kernel.outputs().size(); ++k) {
      const LossPeak peak{p, {a, b}, kernel.outputs()[k], false, 0};
      judge.weigh(mass[a].most(k), mass[b].least(k), peak);
      judge.weigh(mass[b].most(k), mass[a].least(k), peak);
    }
  }
}

}  // namespace

std::optional<LossDecision> decide_loss(const Claim& claim, const BoxedLaws* boxed,
                                        const MechanismBounds& mechanism, const Interval& epsilon,
                                        bool unsure_is_no, const Progress& progress) {
  Judge judge(epsilon);
  for (size_t p = 0; p < claim.priors.size(); ++p) {
    const Prior& prior = claim.priors[p];
    const auto kernel = kernel_of(claim, prior, boxed, mechanism, false);
    if (claim.pairs.is_all() && !boxed) {
      weigh_all(prior, p, *kernel, judge, progress);
    } else {
      weigh_list(claim, p, boxed, *kernel, judge, progress);
    }
  }
  return judge.decision(unsure_is_no);
}

}  // namespace fugu::inline in_proof
