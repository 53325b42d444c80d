#include "fugu/plan/leakage.h"

#include <algorithm>
#include <functional>
#include <vector>

#include "fugu/plan/leakage_sums.h"
#include "fugu/proof/grid_kernel.h"

namespace fugu::inline in_plan {
namespace {

constexpr Bits kLeakBits = 128;
constexpr double kMostMasses = 4e5;      // outputs times secrets, of all priors: a second
constexpr double kMostProducts = 3e6;    // of a mass and a chance
constexpr double kMostLogarithms = 1e5;  // half a second
constexpr int kNearBits = 48;            // products in doubles are nearer to the truth than that

Interval whole_number(const Integer& value) { return Interval(value, kLeakBits); }

// The prior whose totals are the secrets' shares: a group's or a stratum's own, else what the table says of
// the same people.
const Prior& counted_prior(const Scenario& scenario, const Prior& prior) {
  if (prior.is_group()) return prior;
  for (const Prior* own : scenario.own_priors()) {
    if (own->known == prior.known) return *own;
  }
  return prior;
}

// As they are written; of masses that a model computed every secret weighs the same.
std::vector<Integer> people_of(const Prior& prior) {
  const auto& laws = prior.by_secret;
  const bool computed =
      std::any_of(laws.begin(), laws.end(), [](const Distribution& law) { return law.blur() != 0; });
  std::vector<Integer> people;
  for (const Distribution& law : laws) people.push_back(computed ? Integer(1) : law.total());
  return people;
}

Integer sum_of(const std::vector<Integer>& numbers) {
  Integer sum(0);
  for (const Integer& number : numbers) sum += number;
  return sum;
}

// sum_x max_s factor(s) P(x|s). Who has the largest is decided in doubles; what these have is summed exactly,
// and no other has more than that by a factor of 1 + 2^-kNearBits.
Interval best_by_value(const Prior& prior, const std::vector<int64_t>& values,
                       const std::vector<Interval>& factors) {
  struct Best {
    double most = 0;
    uint32_t secret = 0;
    size_t place = 0;
  };
  std::vector<Best> best(values.size());
  for (uint32_t s = 0; s < prior.by_secret.size(); ++s) {
    const Distribution& law = prior.by_secret[s];
    const double factor = (factors[s] / whole_number(law.total())).upper();
    for (size_t k = 0, x = 0; k < law.size(); ++k, ++x) {
      while (values[x] != law.atoms()[k]) ++x;
      const double here = static_cast<double>(law.weights().at(k)) * factor;
      if (here > best[x].most) best[x] = {here, s, k};
    }
  }
  std::vector<Integer> hits(prior.by_secret.size(), Integer(0));
  for (const Best& one : best) {
    if (one.most > 0) hits[one.secret] += prior.by_secret[one.secret].weights().at(one.place);
  }
  Interval sum(kLeakBits);
  for (size_t s = 0; s < hits.size(); ++s) {
    const Distribution& law = prior.by_secret[s];
    sum += whole_number(hits[s]) / whole_number(law.total()) * factors[s] * blur_factor(law, kLeakBits);
  }
  const Interval one = whole_number(1);
  return sum * hull(one, one + one / whole_number(Integer(1) << kNearBits));
}

// Whether the mechanism says what becomes of each of the prior's values: a file may hold anything.
bool covers(const Scenario& scenario, const Prior& prior, const Mechanism& mechanism) {
  if (std::holds_alternative<Noise>(mechanism)) return !scenario.is_joint();
  if (const JointNoise* joint = std::get_if<JointNoise>(&mechanism))
    return scenario.is_joint() && joint->columns.size() == scenario.axes.size();
  const std::vector<int64_t>* inputs = nullptr;
  if (const Channel* channel = std::get_if<Channel>(&mechanism)) inputs = &channel->inputs;
  if (const Swap* swap = std::get_if<Swap>(&mechanism)) {
    const SwapStratum* stratum = swap->stratum(prior.known);
    if (stratum) inputs = &stratum->points;
  }
  return inputs && std::all_of(prior.by_secret.begin(), prior.by_secret.end(), [&](const Distribution& law) {
           return std::includes(inputs->begin(), inputs->end(), law.atoms().begin(), law.atoms().end());
         });
}

// sum_x max_s P(x|s) share(s) where the shares are the law's own totals.
Integer most_by_value(const Prior& prior, const std::vector<int64_t>& values) {
  std::vector<Integer> best(values.size(), Integer(0));
  for (const Distribution& law : prior.by_secret) {
    for (size_t k = 0, x = 0; k < law.size(); ++k, ++x) {
      while (values[x] != law.atoms()[k]) ++x;
      Integer here = law.weights().at(k);
      if (here > best[x]) best[x] = std::move(here);
    }
  }
  return sum_of(best);
}

// How many masses have to be known under a prior, and how many products make them.
struct Work {
  double masses = 0, products = 0;
};
Work work_of(const Scenario& scenario, const Prior& prior, const Mechanism& mechanism) {
  const auto secrets = static_cast<double>(prior.by_secret.size());
  double atoms = 0;
  for (const Distribution& law : prior.by_secret) atoms += static_cast<double>(law.size());
  if (const Swap* swap = std::get_if<Swap>(&mechanism)) {
    const SwapStratum& stratum = *swap->stratum(prior.known);
    const double points = static_cast<double>(stratum.points.size()) * secrets;
    return {points, points + static_cast<double>(stratum.flows.size()) * secrets};
  }
  if (const Channel* channel = std::get_if<Channel>(&mechanism)) {
    const auto outputs = static_cast<double>(channel->outputs.size());
    return {outputs * secrets, outputs * (atoms + static_cast<double>(channel->inputs.size()))};
  }
  if (scenario.is_joint()) {
    const ProductGrid grid(scenario, prior);
    double cells = secrets;
    for (const auto& axis : grid.axes()) cells *= static_cast<double>(axis.size());
    return {cells, cells * static_cast<double>(scenario.axes.size())};
  }
  const double window = static_cast<double>(std::get<Noise>(mechanism).weights.size());
  return {window * static_cast<double>(union_support(prior.by_secret).size()) * secrets, window * atoms};
}

// Of one prior, each within its bounds.
struct PriorLeakage {
  Rational before;
  GuessShare by_value, after;
  Interval told, maximal;
};

class LeakageOfPlan {
 public:
  LeakageOfPlan(const Scenario& scenario, const Mechanism& mechanism)
      : scenario_(scenario), mechanism_(mechanism) {
    Work work;
    for (const Prior& prior : scenario.priors) {
      if (!covers(scenario, prior, mechanism)) return;
      const Work one = work_of(scenario, prior, mechanism);
      work.masses += one.masses;
      work.products += one.products;
    }
    sums_ = work.masses <= kMostMasses && work.products <= kMostProducts;
    logarithms_ = work.masses <= kMostLogarithms;
    if (sums_) bounds_ = bounds_of(mechanism, kLeakBits);
    if (std::holds_alternative<Noise>(mechanism) && scenario.clamps()) range_ = scenario.range();
  }

  bool sums() const { return sums_; }

  PriorLeakage of(const Prior& prior) const {
    const Interval zero(kLeakBits), one = whole_number(1);
    const Prior& counted = counted_prior(scenario_, prior);
    const std::vector<Integer> people = people_of(counted);
    const Integer all = sum_of(people);
    std::vector<Interval> shares;
    for (const Integer& number : people) shares.push_back(whole_number(number) / whole_number(all));
    const auto likeliest = std::max_element(people.begin(), people.end());
    const Rational before(*likeliest, all);
    const std::vector<int64_t> values = union_support(prior.by_secret);
    // What the value itself says bounds what its release says.
    const GuessShare by_value = by_value_of(prior, &counted == &prior, values, shares, all);
    GuessShare after{before, by_value.high};
    Interval most = hull(one, best_by_value(prior, values, std::vector<Interval>(shares.size(), one)));
    Interval told = hull(zero, entropy_of(shares));
    if (sums_) {
      const LeakSums sums = summed(prior, shares, static_cast<size_t>(likeliest - people.begin()));
      after = sums.moved ? least(share_of(sums.guessed), by_value.high) : GuessShare{before, before};
      most = least(sums.most, most);
      if (logarithms_) told = least(sums.told, told);
    }
    promise(before, shares.size(), after, most, told);
    after.low = std::max(after.low, before);  // whatever is seen, nothing is guessed worse
    after.high = std::max(after.high, before);
    const Interval maximal = positive_part(log(most));  // a sum of masses is at least 1
    return {before, by_value, after, least(told, maximal), maximal};
  }

 private:
  // A number that lies in `a` and is no larger than one that lies in `b`.
  static Interval least(const Interval& a, const Interval& b) { return upper_less(b, a) ? cut(a, b) : a; }
  // From the lower end of a to the upper end of b.
  static Interval cut(const Interval& a, const Interval& b) {
    return hull(Interval(a.lower(), a.lower(), kLeakBits), Interval(b.upper(), b.upper(), kLeakBits));
  }
  static GuessShare least(GuessShare a, const Rational& b) {
    return {std::min(a.low, b), std::min(a.high, b)};
  }
  static GuessShare share_of(const Interval& number) {
    return {exact(number.lower()), exact(number.upper())};
  }

  static GuessShare by_value_of(const Prior& prior, bool own, const std::vector<int64_t>& values,
                                const std::vector<Interval>& shares, const Integer& people) {
    const auto& laws = prior.by_secret;
    const bool computed =
        std::any_of(laws.begin(), laws.end(), [](const Distribution& law) { return law.blur() != 0; });
    if (!own || computed) return share_of(best_by_value(prior, values, shares));
    const Rational right(most_by_value(prior, values), people);
    return {right, right};
  }

  static Interval entropy_of(const std::vector<Interval>& shares) {
    Interval sum(kLeakBits);
    for (const Interval& share : shares) sum -= share * log(share);
    return positive_part(sum);
  }

  LeakSums summed(const Prior& prior, const std::vector<Interval>& shares, size_t likeliest) const {
    const Leaks leaks(shares, likeliest, logarithms_);
    if (const SwapBounds* swap = std::get_if<SwapBounds>(&*bounds_))
      return leaks.over(*swap_kernel(*swap->swap->stratum(prior.known), kLeakBits), prior);
    if (const JointBounds* joint = std::get_if<JointBounds>(&*bounds_))
      return leaks.over_grid(scenario_, prior, *joint);
    const auto kernel = column_kernel(union_support(prior.by_secret), *bounds_);
    return std::holds_alternative<NoiseBounds>(*bounds_) ? leaks.over_noise(*kernel, prior, range_)
                                                         : leaks.over(*kernel, prior);
  }

  // What epsilon between any two secrets says by itself: of n secrets max_s P(y|s) is at most e^epsilon / (n
  // - 1 + e^epsilon) of their sum, a guess as if the others were less likely by e^epsilon each, and no two
  // laws are further from each other than epsilon (e^epsilon - 1) / (e^epsilon + 1). A promise in belief says
  // P(y|s) <= e^epsilon P(y) for the mixture P of some shares: the sum over y of the largest is at most
  // e^epsilon.
  void promise(const Rational& before, size_t secrets, GuessShare& after, Interval& most,
               Interval& told) const {
    if (!scenario_.delta.is_zero() || !scenario_.pairs.is_all()) return;
    const Interval one = whole_number(1), n = whole_number(Integer(secrets)),
                   epsilon(scenario_.epsilon.value(), kLeakBits), growth = exp(epsilon);
    if (scenario_.is_of_belief()) {
      most = least(most, growth);
      return;
    }
    const Interval share(before, kLeakBits);
    after = least(after, exact((share * growth / (share * growth + (one - share))).upper()));
    most = least(most, n * growth / (n - one + growth));
    told = least(told, epsilon * (growth - one) / (growth + one));
  }

  const Scenario& scenario_;
  const Mechanism& mechanism_;
  bool sums_ = false, logarithms_ = false;
  std::optional<MechanismBounds> bounds_;
  std::optional<std::pair<int64_t, int64_t>> range_;
};

Within within(const Interval& number) { return {number.lower(), number.upper()}; }
Within in_bits(const Interval& nats) { return within(nats / log(whole_number(2))); }

Within rounded(const GuessShare& share) {
  return {round_down(share.low), std::min(1.0, round_up(share.high))};
}

Json within_to_json(const Within& number) {
  Json json = Json::object();
  json.add("at_least", Json::number(number.low));
  json.add("at_most", Json::number(number.high));
  return json;
}

}  // namespace

Leakage leakage_of(const Scenario& scenario, const Mechanism& mechanism) {
  const LeakageOfPlan plan(scenario, mechanism);
  Leakage leakage;
  leakage.bounded = !plan.sums();
  leakage.estimate = scenario.confidence.has_value();
  leakage.equal_shares = true;
  const std::vector<const Prior*> own = scenario.own_priors();
  Integer people(0);
  GuessShare before, by_value, after;
  Interval told(kLeakBits);
  auto add = [](GuessShare& sum, const GuessShare& one, const Integer& times) {
    sum.low += one.low * times;
    sum.high += one.high * times;
  };
  std::optional<Interval> maximal, most_told;
  for (const Prior& prior : scenario.priors) {
    const PriorLeakage one = plan.of(prior);
    if (!maximal || upper_less(*maximal, one.maximal)) {
      maximal = one.maximal;
      leakage.maximal_prior = prior.name;
    }
    if (!most_told || upper_less(*most_told, one.told)) {
      most_told = one.told;
      leakage.most_told_prior = prior.name;
    }
    if (std::find(own.begin(), own.end(), &prior) == own.end()) continue;
    const std::vector<Integer> here = people_of(prior);
    leakage.equal_shares = leakage.equal_shares &&
                           std::adjacent_find(here.begin(), here.end(), std::not_equal_to<>()) == here.end();
    const Integer weight = sum_of(here);
    people += weight;
    add(before, {one.before, one.before}, weight);
    add(by_value, one.by_value, weight);
    add(after, one.after, weight);
    told += one.told * whole_number(weight);
  }
  auto mean = [&](const GuessShare& sum) {
    return GuessShare{sum.low / people, std::min(Rational(1), Rational(sum.high / people))};
  };
  leakage.guessed_before = mean(before);
  leakage.guessed_true = mean(by_value);
  leakage.guessed_after = mean(after);
  leakage.told = in_bits(told / whole_number(people));
  leakage.maximal = within(*maximal);
  leakage.most_told = in_bits(*most_told);
  return leakage;
}

Json leakage_to_json(const Leakage& leakage) {
  Json json = Json::object();
  json.add("guessed_before", within_to_json(rounded(leakage.guessed_before)));
  json.add("guessed_true", within_to_json(rounded(leakage.guessed_true)));
  json.add("guessed_after", within_to_json(rounded(leakage.guessed_after)));
  json.add("told", within_to_json(leakage.told));
  auto worst = [](const Within& number, const std::string& prior) {
    Json bounds = within_to_json(number);
    bounds.add("prior", Json::string(prior));
    return bounds;
  };
  json.add("maximal", worst(leakage.maximal, leakage.maximal_prior));
  json.add("most_told", worst(leakage.most_told, leakage.most_told_prior));
  json.add("equal_shares", Json::boolean(leakage.equal_shares));
  json.add("estimate", Json::boolean(leakage.estimate));
  json.add("bounded", Json::boolean(leakage.bounded));
  return json;
}

}  // namespace fugu::inline in_plan
