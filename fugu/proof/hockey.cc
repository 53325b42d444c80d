#include "fugu/proof/hockey.h"

#include <algorithm>

namespace fugu::inline in_proof {
namespace {

// The sum over t = 1 … gap - 1 of [A r^t + B r^(gap - t)]_+, which changes sign at most once.
class GapSum {
 public:
  GapSum(const Interval& a, const Interval& b, const Interval& r, uint64_t gap)
      : a_(a), b_(b), r_(r), gap_(gap) {}

  Interval value() const {
    const Bits bits = r_.precision();
    const uint64_t last = gap_ - 1;
    if (a_.certainly_not_positive() && b_.certainly_not_positive()) return Interval(bits);
    const bool rises = b_.certainly_positive() && !a_.certainly_positive();
    const bool falls = a_.certainly_positive() && !b_.certainly_positive();
    if (!rises && !falls) {
      // Both positive: everything counts. A sign that is not known: anything from nothing to the positive
      // parts.
      Interval all = partial(positive_part(a_), positive_part(b_), 1, last);
      return a_.certainly_positive() && b_.certainly_positive() ? all : hull(std::move(all), Interval(bits));
    }
    // Positive up to (or from) some t: find where the sign is certain on either side; between, term by term.
    uint64_t low = 0, high = gap_;  // positions in the order "first the positive ones"
    auto place = [&](uint64_t t) { return falls ? t : gap_ - t; };
    while (high - low > 1) {
      const uint64_t middle = low + (high - low) / 2;
      (term(place(middle)).certainly_positive() ? low : high) = middle;
    }
    Interval sum(bits);
    if (low > 0) sum += falls ? partial(a_, b_, 1, low) : partial(a_, b_, gap_ - low, last);
    for (uint64_t k = low + 1; k < gap_; ++k) {
      if (k - low > kMostTerms) {
        // A sign that no digits will tell: anything from nothing to the positive parts.
        const uint64_t from = falls ? k : 1, to = falls ? last : gap_ - k;
        sum += hull(partial(positive_part(a_), positive_part(b_), from, to), Interval(bits));
        break;
      }
      const Interval here = term(place(k));
      if (here.certainly_not_positive()) break;
      sum += positive_part(here);
    }
    return sum;
  }

 private:
  static constexpr uint64_t kMostTerms = 10'000;

  Interval term(uint64_t t) const { return a_ * pow(r_, t) + b_ * pow(r_, gap_ - t); }

  // The sum over t = from … to without the clamp: geometric series both ways.
  Interval partial(const Interval& a, const Interval& b, uint64_t from, uint64_t to) const {
    const Interval one(Integer(1), r_.precision());
    const Interval series = (one - pow(r_, to - from + 1)) / (one - r_);
    return (a * pow(r_, from) + b * pow(r_, gap_ - to)) * series;
  }

  const Interval &a_, &b_, &r_;
  uint64_t gap_;
};

// Exact P(outputs[k]|s) of a channel.
Rational exact_mass(const Distribution& secret, const Channel& channel, int64_t y) {
  const auto place = [](const std::vector<int64_t>& points, int64_t point) {
    return static_cast<size_t>(std::lower_bound(points.begin(), points.end(), point) - points.begin());
  };
  const size_t output = place(channel.outputs, y);
  Rational sum(0);
  for (size_t k = 0; k < secret.size(); ++k) {
    const size_t input = place(channel.inputs, secret.atoms()[k]);
    sum += Rational(secret.weights().at(k) * channel.weights[input][output], channel.row_total(input));
  }
  return sum / Rational(secret.total());
}

// Exact P(y|s) of a noise without tails.
Rational exact_mass(const Distribution& secret, const Noise& noise, int64_t y) {
  Integer sum(0);
  for (size_t k = 0; k < secret.size(); ++k) {
    const int64_t z = y - secret.atoms()[k];
    if (std::llabs(z) <= noise.reach())
      sum += secret.weights().at(k) * noise.weights[static_cast<size_t>(z + noise.reach())];
  }
  return Rational(sum) / (total_weight(noise) * Rational(secret.total()));
}

struct Direction {
  Interval sum;
  int64_t output;
  std::vector<size_t> ruled_out;  // outputs impossible under the second secret only; not in `sum`
};

// The least masses of the second secret times e^epsilon, once for all that are compared with it.
std::vector<Interval> grown(const Masses& second, const Interval& growth) {
  std::vector<Interval> result;
  result.reserve(second.at.size());
  for (size_t k = 0; k < second.at.size(); ++k) result.push_back(second.least(k) * growth);
  return result;
}

// `allowed` is grown(second, growth). One number is used over and over: most of the time goes into making
// them.
Direction one_way(const Masses& first, const Masses& second, const std::vector<Interval>& allowed,
                  const Interval& growth, const Kernel& kernel) {
  const auto& outputs = kernel.outputs();
  const Interval& r = kernel.tail();
  const Bits bits = r.precision();
  Direction result{Interval(bits), outputs[0], {}};
  Interval largest(bits), excess(bits);
  for (size_t k = 0; k < outputs.size(); ++k) {
    if (allowed[k].is_zero()) {
      if (first.most(k).is_zero()) continue;
      result.ruled_out.push_back(k);
      if (upper_less(largest, first.most(k))) {
        largest = first.most(k);
        result.output = outputs[k];
      }
      continue;
    }
    excess = first.most(k);
    excess -= allowed[k];
    if (excess.certainly_not_positive()) continue;
    if (!excess.certainly_positive()) excess = positive_part(std::move(excess));
    if (upper_less(largest, excess)) {
      largest = excess;
      result.output = outputs[k];
    }
    result.sum += excess;
  }
  if (r.is_zero()) return result;
  for (size_t k = 0; k + 1 < outputs.size(); ++k) {
    const auto gap = static_cast<uint64_t>(outputs[k + 1] - outputs[k]);
    if (gap == 1) continue;
    const Interval a = first.from_left[k] - growth * second.from_left[k],
                   b = first.from_right[k] - growth * second.from_right[k];
    result.sum += GapSum(a, b, r, gap).value();
  }
  // Beyond the outermost outputs every mass falls by r at each step.
  const Interval beyond = r / (Interval(Integer(1), bits) - r);
  for (size_t k : {size_t{0}, outputs.size() - 1}) {
    result.sum += positive_part(first.most(k) - allowed[k]) * beyond;
  }
  return result;
}

bool has_gaps(const std::vector<int64_t>& outputs) {
  return outputs.back() - outputs.front() >= static_cast<int64_t>(outputs.size());
}

// The mass of what the second secret rules out, exactly. Precondition: noise without tails, or a channel.
Rational ruled_out_mass(const Distribution& secret, const Mechanism& mechanism, const Kernel& kernel,
                        const std::vector<size_t>& ruled_out) {
  Rational mass(0);
  for (size_t k : ruled_out) {
    const Channel* channel = std::get_if<Channel>(&mechanism);  // several columns take no delta
    mass += channel ? exact_mass(secret, *channel, kernel.outputs()[k])
                    : exact_mass(secret, std::get<Noise>(mechanism), kernel.outputs()[k]);
  }
  return mass;
}

}  // namespace

HockeyBounds bound_hockey(const Claim& claim, const BoxedLaws* boxed, const MechanismBounds& mechanism,
                          const Mechanism* exact, Bits precision, const Progress& progress) {
  double done = 0;
  const double pairs = static_cast<double>(claim.pair_count() * claim.priors.size());
  const Interval growth = exp(Interval(claim.epsilon.value(), precision)),
                 delta(claim.delta.value(), precision);
  HockeyPeak peak;
  Interval worst = Interval(precision) - Interval(Integer(1), precision);
  bool refuted = false, undecided = false;
  for (size_t p = 0; p < claim.priors.size(); ++p) {
    const auto kernel = kernel_of(claim, claim.priors[p], boxed, mechanism, true);
    const bool with_gaps = has_gaps(kernel->outputs());
    std::vector<Masses> all;
    std::vector<std::vector<Interval>> allowed;
    for (size_t s = 0; s < claim.secrets.size(); ++s) {
      report(progress, done / pairs, "summing over pairs");
      all.push_back(kernel->of(law_of(claim, p, s, boxed), with_gaps));
      allowed.push_back(grown(all.back(), growth));
    }
    for (auto [a, b] : claim.pairs.list(claim.secrets.size())) {
      report(progress, done++ / pairs, "summing over pairs");
      for (auto [i, j] : {SecretPair{a, b}, SecretPair{b, a}}) {
        const Direction way = one_way(all[i], all[j], allowed[j], growth, *kernel);
        Interval sum = way.sum;
        for (size_t k : way.ruled_out) sum += all[i].most(k);
        bool holds = certainly_at_most(sum, delta), fails = certainly_less(delta, sum);
        // Tails may reach what a table's zeros rule out, and exact_mass() is of noise that has none.
        if (exact && !boxed && kernel->tail().is_zero() && way.sum.is_zero() && !way.ruled_out.empty()) {
          const Distribution& first = claim.priors[p].by_secret[i];
          const Rational mass = ruled_out_mass(first, *exact, *kernel, way.ruled_out);
          holds = mass * (1 + first.blur()) <= claim.delta.value();
          fails = mass * (1 - first.blur()) > claim.delta.value();
        }
        undecided = undecided || (!holds && !fails);
        // The largest sum, or the largest of those that refute.
        if (fails == refuted ? upper_less(worst, sum) : fails) {
          peak = {p, {i, j}, way.output, sum.lower(), sum.upper()};
          worst = sum;
        }
        refuted = refuted || fails;
      }
    }
  }
  return {peak, refuted ? std::optional(false) : undecided ? std::nullopt : std::optional(true)};
}

}  // namespace fugu::inline in_proof
