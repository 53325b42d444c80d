#include "fugu/compose/plan_bounds.h"

#include <algorithm>

#include "fugu/compose/pair_plans.h"
#include "fugu/transport/distances.h"

namespace fugu::inline in_compose {
namespace {

Interval kept_by_all(std::vector<Exchange>& releases, int64_t from, int64_t to, Bits precision) {
  Interval product(Integer(1), precision);
  for (Exchange& release : releases) product *= release.kept(from, to);
  return product;
}

// What the true laws may add to the loss of the nominal ones: at every output one mass is at most 1 + b times
// the nominal, the other at least 1 - b times.
Interval blur_loss(const Scenario& scenario, Bits precision) {
  const Rational blur = scenario.blur();
  return blur == 0 ? Interval(precision) : log(Interval(Rational((1 + blur) / (1 - blur)), precision));
}

}  // namespace

std::optional<Interval> row_bound(const Scenario& scenario, std::vector<Exchange>& releases, Bits precision) {
  if (too_many_cells(scenario)) return std::nullopt;
  Interval least(Integer(1), precision);
  for_each_plan(scenario, [&](const Distribution& from, const Distribution& to, const Coupling& plan) {
    // The coupling is monotone, so the cells of a row, and of a column, stand together.
    auto lines = [&](auto atom, auto kept) {
      for (size_t begin = 0, end = 0; begin < plan.cells.size(); begin = end) {
        Interval sum(precision);
        Integer total(0);
        for (; end < plan.cells.size() && atom(plan.cells[end]) == atom(plan.cells[begin]); ++end) {
          const Integer mass = plan.numerator(end);
          sum += Interval(mass, precision) *
                 kept(from.atoms()[plan.cells[end].from], to.atoms()[plan.cells[end].to]);
          total += mass;
        }
        sum /= Interval(total, precision);
        if (lower_less(sum, least)) least = std::move(sum);
      }
    };
    lines([](const Cell& cell) { return cell.from; },
          [&](int64_t x, int64_t other) { return kept_by_all(releases, x, other, precision); });
    lines([](const Cell& cell) { return cell.to; },
          [&](int64_t x, int64_t other) { return kept_by_all(releases, other, x, precision); });
  });
  if (!least.certainly_positive()) return std::nullopt;
  return log(Interval(Integer(1), precision) / least) + blur_loss(scenario, precision);
}

std::optional<Interval> cell_bound(const Scenario& scenario, std::vector<Exchange>& releases,
                                   Bits precision) {
  if (too_many_cells(scenario)) return std::nullopt;
  Interval most(precision);
  for_each_plan(scenario, [&](const Distribution& from, const Distribution& to, const Coupling& plan) {
    Interval forth(precision), back(precision);
    for (size_t k = 0; k < plan.cells.size(); ++k) {
      const int64_t x = from.atoms()[plan.cells[k].from], other = to.atoms()[plan.cells[k].to];
      const Interval mass(plan.numerator(k), precision);
      for (Exchange& release : releases) {
        forth += mass * release.excess(x, other);
        back += mass * release.excess(other, x);
      }
    }
    for (Interval* sum : {&forth, &back}) {
      *sum /= Interval(plan.denominator, precision);
      if (upper_less(most, *sum)) most = *sum;
    }
  });
  if (const Rational blur = scenario.blur(); blur != 0) {
    // [(1 + b) P - e^epsilon (1 - b) Q]_+ <= [P - e^epsilon Q]_+ + b P + b e^epsilon Q, summed over outputs.
    const Interval one(Integer(1), precision);
    Interval growth = one;
    for (const Exchange& release : releases) growth *= release.growth();
    most += Interval(blur, precision) * (one + growth);
  }
  if (!certainly_less(most, Interval(Integer(1), precision))) return std::nullopt;
  return most;
}

std::optional<Interval> distance_bound(const Scenario& scenario, const std::vector<Rational>& ratios,
                                       Bits precision) {
  int64_t farthest = 0;
  for (const Prior& prior : scenario.priors)
    farthest = std::max(farthest, largest_w_inf(prior.by_secret, scenario.pairs));
  Interval sum(precision);
  if (farthest == 0) return blur_loss(scenario, precision);
  for (const Rational& ratio : ratios) {
    if (ratio == 0) return std::nullopt;
    sum += log(Interval(Rational(1 / ratio), precision));
  }
  return sum * Interval(Integer(farthest), precision) + blur_loss(scenario, precision);
}

}  // namespace fugu::inline in_compose
