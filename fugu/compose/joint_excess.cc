#include "fugu/compose/joint_excess.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "fugu/compose/pair_plans.h"
#include "fugu/core/interval.h"
#include "fugu/scenario/domain.h"
#include "fugu/transport/distances.h"
#include "fugu/verify/rounding.h"
#include "fugu/verify/sum_rounded.h"

namespace fugu::inline in_compose {
namespace {

constexpr Bits kExcessBits = 128;
constexpr int64_t kMostOutputs = 5'000'000;                // looked at over all exchanges: a second
constexpr double kMostLossProducts = 2e9;                  // in sums of losses: a second or two
constexpr double kMostPoints = 2048, kFewestPoints = 128;  // of a grid
constexpr double kGivenAway = 1e-4;                        // of the least delta

class ExcessMaker {
 public:
  ExcessMaker(const Scenario& scenario, const std::vector<const Mechanism*>& releases, const Rational& finest)
      : scenario_(scenario), releases_(releases) {
    const double least = std::min(1.0, round_down(finest));
    // Each law is cut when it is made, and each sum of two.
    const double cuts = 4.0 * static_cast<double>(releases.size());
    fine_ = {kGivenAway * least / cuts, std::min(1e-9, least) / cuts, 0};
  }

  std::optional<JointExcess> make() {
    if (!scenario_.confidence && too_many_cells(scenario_)) return std::nullopt;
    if (!prepare_releases()) return std::nullopt;
    collect_exchanges();
    if (!affordable()) return std::nullopt;
    std::vector<ExchangeLaw> laws;
    for (const ExchangeKeys* keys : order_) laws.push_back(exchange_law(copies_, *keys, fine_));
    return JointExcess(std::move(laws), std::move(mixtures_), scenario_.blur());
  }

 private:
  bool prepare_releases() {
    const int64_t farthest = farthest_exchange();
    std::vector<const Mechanism*> distinct;
    for (const Mechanism* release : releases_) {
      const auto same = std::find_if(distinct.begin(), distinct.end(),
                                     [&](const Mechanism* one) { return *one == *release; });
      if (same != distinct.end()) {
        ++copies_[static_cast<size_t>(same - distinct.begin())].number;
        continue;
      }
      auto outputs = ExchangeOutputs::of(*release, farthest, kExcessBits);
      if (!outputs) return false;
      distinct.push_back(release);
      copies_.push_back({std::move(*outputs), 1});
    }
    return true;
  }

  int64_t farthest_exchange() const {
    if (scenario_.confidence) {
      const auto domain = domain_of(scenario_);
      return domain.back() - domain.front();
    }
    int64_t farthest = 0;
    for (const Prior& prior : scenario_.priors)
      farthest = std::max(farthest, largest_w_inf(prior.by_secret, scenario_.pairs));
    return farthest;
  }

  size_t place_of(int64_t from, int64_t to) {
    ExchangeKeys keys;
    for (const Copies& copies : copies_) keys.push_back(copies.outputs.key(from, to));
    const auto [at, fresh] = places_.try_emplace(std::move(keys), order_.size());
    if (fresh) order_.push_back(&at->first);
    return at->second;
  }

  void add_mixture(const std::map<size_t, Integer>& numerators, const Integer& denominator) {
    Mixture mixture;
    for (const auto& [place, numerator] : numerators) {
      mixture.exchanges.push_back(place);
      mixture.masses.push_back(round_up(Rational(numerator, denominator)));
    }
    mixtures_.push_back(std::move(mixture));
  }

  // A value that stays tells nothing.
  void collect_exchanges() {
    if (scenario_.confidence) {
      const auto domain = domain_of(scenario_);
      for (int64_t from : domain)
        for (int64_t to : domain)
          if (from != to) place_of(from, to);
      for (size_t k = 0; k < order_.size(); ++k) add_mixture({{k, Integer(1)}}, Integer(1));
      return;
    }
    for_each_plan(scenario_, [&](const Distribution& one, const Distribution& other, const Coupling& plan) {
      std::map<size_t, Integer> forth, back;
      for (size_t k = 0; k < plan.cells.size(); ++k) {
        const int64_t x = one.atoms()[plan.cells[k].from], y = other.atoms()[plan.cells[k].to];
        if (x == y) continue;
        const Integer mass = plan.numerator(k);
        forth[place_of(x, y)] += mass;
        back[place_of(y, x)] += mass;
      }
      add_mixture(forth, plan.denominator);
      add_mixture(back, plan.denominator);
    });
  }

  bool affordable() {
    int64_t outputs = 0;
    for (const ExchangeKeys* keys : order_) {
      for (size_t r = 0; r < copies_.size(); ++r) outputs += copies_[r].outputs.count((*keys)[r]);
      if (outputs > kMostOutputs) return false;
    }
    double sums = 0;
    for (const Copies& copies : copies_) sums += 1 + 2 * std::log2(static_cast<double>(copies.number));
    const double products = 4 * sums * static_cast<double>(order_.size() + 1);  // by point, squared
    fine_.points = std::min(kMostPoints, std::sqrt(kMostLossProducts / products));
    return fine_.points >= kFewestPoints;
  }

  const Scenario& scenario_;
  const std::vector<const Mechanism*>& releases_;
  LossFineness fine_;
  std::vector<Copies> copies_;
  std::map<ExchangeKeys, size_t> places_;
  std::vector<const ExchangeKeys*> order_;
  std::vector<Mixture> mixtures_;
};

}  // namespace

std::optional<JointExcess> joint_excess(const Scenario& scenario,
                                        const std::vector<const Mechanism*>& releases,
                                        const Rational& finest) {
  return ExcessMaker(scenario, releases, finest).make();
}

double JointExcess::at(const Rational& epsilon) const {
  const Interval growth = exp(Interval(epsilon, kExcessBits));
  // [(1 + b) P - e^epsilon (1 - b) Q]_+ <= [P - e^epsilon Q]_+ + b P + b e^epsilon Q, summed over outputs.
  const double blurred =
      (Interval(blur_, kExcessBits) * (Interval(Integer(1), kExcessBits) + growth)).upper();
  const double least_growth = growth.lower();
  const Rounding up(Toward::kUp);
  std::vector<double> excess;
  for (const ExchangeLaw& exchange : laws_)
    excess.push_back(excess_of(exchange.law, exchange.grid, least_growth));
  double most = 0;
  std::vector<double> each;
  for (const Mixture& mixture : mixtures_) {
    each.clear();
    for (size_t place : mixture.exchanges) each.push_back(excess[place]);
    most = std::max(most, rounded_dot(mixture.masses, each));
  }
  return rounded_sum(most, blurred);
}

}  // namespace fugu::inline in_compose
