#include "fugu/proof/loss.h"

#include <algorithm>
#include <map>

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

// Of one prior and output: what is promised of a secret and the mixture of all, pi_s P_s + R with R of the
// other secrets alone. Laws of different secrets vary by themselves, so that the most of the one against the
// least of the others is the worst, and each mass enters once.
class BeliefScale {
 public:
  BeliefScale(const std::vector<Masses>& mass, const std::vector<Interval>& shares, size_t output)
      : mass_(mass), shares_(shares), output_(output) {
    const size_t secrets = mass.size();
    const Interval zero(shares[0].precision());
    before_.assign(secrets, {zero, zero});
    after_ = before_;
    for (size_t s = 1; s < secrets; ++s) before_[s] = with(before_[s - 1], s - 1);
    for (size_t s = secrets - 1; s-- > 0;) after_[s] = with(after_[s + 1], s + 1);
  }

  // P_s against the mixture.
  void weigh_surer(uint32_t s, const Interval& limit, const LossPeak& peak, Judge& judge) const {
    const Interval& own = mass_[s].most(output_);
    if (own.is_zero()) return;
    const Interval others = before_[s].least + after_[s].least;
    // Where it is not known to be positive, against the others alone: that is more.
    if (!own.certainly_positive()) return judge.weigh(own, others, limit, peak);
    judge.weigh_ratio(Interval(Integer(1), own.precision()) / (shares_[s] + others / own), limit, peak);
  }
  // The mixture against P_s.
  void weigh_less_sure(uint32_t s, const Interval& limit, const LossPeak& peak, Judge& judge) const {
    const Interval& own = mass_[s].least(output_);
    const Interval others = before_[s].most + after_[s].most;
    if (own.is_zero()) return judge.weigh(others, own, limit, peak);
    judge.weigh_ratio(shares_[s] + others / own, limit, peak);
  }

 private:
  struct Sum {
    Interval least, most;
  };
  Sum with(const Sum& sum, size_t s) const {
    return {sum.least + shares_[s] * mass_[s].least(output_), sum.most + shares_[s] * mass_[s].most(output_)};
  }

  const std::vector<Masses>& mass_;
  const std::vector<Interval>& shares_;
  size_t output_;
  std::vector<Sum> before_, after_;
};

// Each limit by itself.
void weigh_limits(const Claim& claim, size_t p, const BoxedLaws* boxed, const Kernel& kernel, Bits bits,
                  Judge& judge, const Progress& progress) {
  const auto mixture = static_cast<uint32_t>(claim.secrets.size());
  const std::vector<Limit> limits = claim.limits();
  std::map<Rational, Interval> growth;
  for (const Limit& limit : limits)
    growth.try_emplace(limit.epsilon.value(), exp(Interval(limit.epsilon.value(), bits)));
  std::vector<Masses> mass;
  for (size_t s = 0; s < mixture; ++s) {
    report(progress, static_cast<double>(s) / mixture, "weighing secrets");
    mass.push_back(kernel.of(law_of(claim, p, s, boxed), false));
  }
  std::vector<Interval> shares;
  for (const Rational& share : claim.shares_in(claim.priors[p])) shares.emplace_back(share, bits);
  for (size_t k = 0; k < kernel.outputs().size(); ++k) {
    std::optional<BeliefScale> belief;
    if (claim.is_of_belief()) belief.emplace(mass, shares, k);
    for (const Limit& limit : limits) {
      const LossPeak peak{p, {limit.first, limit.second}, kernel.outputs()[k], false, 0, limit.epsilon};
      const Interval& most = growth.at(limit.epsilon.value());
      if (limit.second == mixture) {
        belief->weigh_surer(limit.first, most, peak, judge);
      } else if (limit.first == mixture) {
        belief->weigh_less_sure(limit.second, most, peak, judge);
      } else {
        judge.weigh(mass[limit.first].most(k), mass[limit.second].least(k), most, peak);
      }
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
    if (!claim.is_plain()) {
      weigh_limits(claim, p, boxed, *kernel, epsilon.precision(), judge, progress);
    } else if (claim.pairs.is_all() && !boxed) {
      weigh_all(prior, p, *kernel, judge, progress);
    } else {
      weigh_list(claim, p, boxed, *kernel, judge, progress);
    }
  }
  return judge.decision(unsure_is_no);
}

}  // namespace fugu::inline in_proof
