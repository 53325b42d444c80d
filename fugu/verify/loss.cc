#include "fugu/verify/loss.h"

#include <algorithm>

namespace fugu {
namespace {

// Every output within `reach` of an atom, increasing.
std::vector<int64_t> outputs_that_suffice(const std::vector<int64_t>& atoms, int64_t reach) {
  std::vector<int64_t> outputs;
  for (int64_t atom : atoms) {
    int64_t first = outputs.empty() ? atom - reach : std::max(atom - reach, outputs.back() + 1);
    for (int64_t y = first; y <= atom + reach; ++y) outputs.push_back(y);
  }
  return outputs;
}

// P(y|s) times the noise's total weight, for each output. One pass from each side carries the tails; an atom joins the
// left tail of the output after atom + reach, so it always joins with the power of one gap.
class OutputMasses {
 public:
  OutputMasses(std::vector<int64_t> outputs, const NoiseBounds& noise) : outputs_(std::move(outputs)), noise_(noise) {
    for (size_t k = 0; k + 1 < outputs_.size(); ++k) {
      auto gap = static_cast<uint64_t>(outputs_[k + 1] - outputs_[k]);
      powers_.push_back(gap == 1 ? noise.tail : pow(noise.tail, gap));
    }
  }

  const std::vector<int64_t>& outputs() const { return outputs_; }

  std::vector<Interval> of(const Distribution& secret) const {
    const Bits bits = noise_.tail.precision();
    const auto atoms = secret.atoms();
    const int64_t reach = noise_.reach();
    std::vector<Interval> weights;
    weights.reserve(atoms.size());
    for (size_t k = 0; k < atoms.size(); ++k) weights.emplace_back(secret.weights().at(k), bits);

    std::vector<Interval> result(outputs_.size(), Interval(bits));
    Interval tail(bits), term(bits);
    for (size_t k = 0, next = 0; k < outputs_.size(); ++k) {  // atoms further left than the reach
      term = tail;
      result[k] += term *= noise_.weights.back();
      if (next < atoms.size() && atoms[next] == outputs_[k] - reach) tail += weights[next++];
      if (k < powers_.size()) tail *= powers_[k];
    }
    tail = Interval(bits);
    for (size_t k = outputs_.size(), next = atoms.size(); k-- > 0;) {  // atoms further right than the reach
      term = tail;
      result[k] += term *= noise_.weights.front();
      if (next > 0 && atoms[next - 1] == outputs_[k] + reach) tail += weights[--next];
      if (k > 0) tail *= powers_[k - 1];
    }
    const Interval total(secret.total(), bits);
    for (size_t k = 0, first = 0; k < outputs_.size(); ++k) {  // atoms within the reach
      while (first < atoms.size() && atoms[first] < outputs_[k] - reach) ++first;
      for (size_t x = first; x < atoms.size() && atoms[x] <= outputs_[k] + reach; ++x) {
        term = weights[x];
        result[k] += term *= noise_.weights[static_cast<size_t>(outputs_[k] - atoms[x] + reach)];
      }
      result[k] /= total;
    }
    return result;
  }

 private:
  std::vector<int64_t> outputs_;
  const NoiseBounds& noise_;
  std::vector<Interval> powers_;  // tail^gap to the next output
};

// Collects ratios of a larger over a smaller mass and keeps what decides.
class Judge {
 public:
  explicit Judge(const Interval& epsilon) : limit_(exp(epsilon)), worst_(epsilon.precision()) {}

  // The mass `high` of one secret against the mass `low` of another, at the place `peak`.
  void weigh(const Interval& high, const Interval& low, const LossPeak& peak) {
    if (low.is_zero()) {
      if (high.is_zero() || (refuted_ && refuted_->infinite)) return;
      refuted_ = peak;
      refuted_->infinite = true;
      return;
    }
    Interval ratio = high / low;
    if (!certainly_at_most(ratio, limit_)) {
      proved_ = false;
      if (certainly_less(limit_, ratio) && (!refuted_ || (!refuted_->infinite && upper_less(worst_, ratio)))) {
        refuted_ = peak;
        worst_ = ratio;
        return;
      }
    }
    if (!refuted_ && upper_less(worst_, ratio)) {
      worst_ = ratio;
      peak_ = peak;
    }
  }

  std::optional<LossDecision> decision() const {
    if (!refuted_ && !proved_) return std::nullopt;
    LossDecision result{!refuted_, refuted_ ? *refuted_ : peak_};
    if (!result.peak.infinite) result.peak.upper = std::max(0.0, log(worst_).upper());
    return result;
  }

 private:
  Interval limit_;
  Interval worst_;
  LossPeak peak_;
  std::optional<LossPeak> refuted_;
  bool proved_ = true;
};

// All pairs: at each output only the largest and the smallest mass matter.
void weigh_all(const Prior& prior, size_t index, const OutputMasses& masses, Judge& judge) {
  std::vector<Interval> high = masses.of(prior.given[0]), low = high;
  std::vector<uint32_t> highest(high.size(), 0), lowest(high.size(), 0);
  for (uint32_t s = 1; s < prior.given.size(); ++s) {
    std::vector<Interval> mass = masses.of(prior.given[s]);
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

void weigh_list(const Prior& prior, size_t index, const std::vector<SecretPair>& pairs, const OutputMasses& masses,
                Judge& judge) {
  std::vector<std::vector<Interval>> mass(prior.given.size());
  for (auto [a, b] : pairs) {
    for (uint32_t s : {a, b}) {
      if (mass[s].empty()) mass[s] = masses.of(prior.given[s]);
    }
    for (size_t k = 0; k < mass[a].size(); ++k) {
      const LossPeak peak{index, {a, b}, masses.outputs()[k], false, 0};
      judge.weigh(mass[a][k], mass[b][k], peak);
      judge.weigh(mass[b][k], mass[a][k], peak);
    }
  }
}

}  // namespace

NoiseBounds bounds_of(const Noise& noise, Bits precision) {
  NoiseBounds bounds{{}, Interval(noise.tail.value(), precision)};
  for (const Integer& weight : noise.weights) bounds.weights.emplace_back(weight, precision);
  return bounds;
}

std::optional<LossDecision> decide_loss(const Scenario& scenario, const NoiseBounds& noise, const Interval& epsilon) {
  Judge judge(epsilon);
  for (size_t p = 0; p < scenario.priors.size(); ++p) {
    const Prior& prior = scenario.priors[p];
    OutputMasses masses(outputs_that_suffice(union_support(prior.given), noise.reach()), noise);
    if (scenario.pairs.is_all()) {
      weigh_all(prior, p, masses, judge);
    } else {
      weigh_list(prior, p, scenario.pairs.list(prior.given.size()), masses, judge);
    }
  }
  return judge.decision();
}

}  // namespace fugu
