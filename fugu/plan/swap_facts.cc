#include "fugu/plan/swap_facts.h"

#include <algorithm>

namespace fugu::inline in_plan {
namespace {

// The columns of each point, one point after another.
std::vector<int64_t> parts_of(const Scenario& scenario, const std::vector<int64_t>& points) {
  if (!scenario.is_joint()) return points;
  std::vector<int64_t> parts;
  for (int64_t atom : points) {
    const auto& point = scenario.points[static_cast<size_t>(atom)];
    parts.insert(parts.end(), point.begin(), point.end());
  }
  return parts;
}

// Sums over the flows of a stratum: each counts by its weight times the factor of the point that it leaves.
class FlowSums {
 public:
  FlowSums(const Scenario& scenario, const ErrorMeasure& measure, size_t columns)
      : changed(columns), error(columns), scenario_(scenario), measure_(measure) {}

  void add(const SwapStratum& stratum, const std::vector<Rational>& factors) {
    // Where frequencies are kept all factors are one: then the sums are whole numbers but for a table's
    // costs.
    const bool same =
        std::all_of(factors.begin(), factors.end(), [&](const Rational& one) { return one == factors[0]; });
    std::vector<Integer> whole_changed(changed.size()), whole_error(changed.size());
    Integer whole_moved(0);
    const std::vector<int64_t> parts = parts_of(scenario_, stratum.points);
    for (const SwapFlow& flow : stratum.flows) {
      whole_moved += flow.weight;
      for (size_t c = 0; c < changed.size(); ++c) {
        const int64_t from = parts[flow.from * changed.size() + c];
        const int64_t to = parts[flow.to * changed.size() + c];
        if (from == to) continue;
        whole_changed[c] += flow.weight;
        if (measure_.kind == ErrorMeasure::kTable) {
          error[c] += measure_.of(from, to, lattice(c)) * flow.weight * factors[flow.from];
        } else {
          whole_error[c] += steps(to < from ? from - to : to - from) * flow.weight;
        }
      }
      if (!same) put(whole_moved, whole_changed, whole_error, factors[flow.from]);
    }
    if (same) put(whole_moved, whole_changed, whole_error, factors[0]);
  }

  Rational moved{0};
  std::vector<Rational> changed, error;

 private:
  Lattice lattice(size_t c) const {
    return scenario_.is_joint() ? scenario_.axes[c].lattice : scenario_.lattice;
  }
  Integer steps(int64_t distance) const {
    switch (measure_.kind) {
      case ErrorMeasure::kSquared:
        return Integer(distance) * distance;
      case ErrorMeasure::kAbsolute:
        return Integer(distance);
      default:
        return Integer(1);
    }
  }
  // What was summed, which begins anew.
  void put(Integer& sum, std::vector<Integer>& columns, std::vector<Integer>& errors,
           const Rational& factor) {
    moved += factor * sum;
    sum = 0;
    for (size_t c = 0; c < columns.size(); ++c) {
      changed[c] += factor * columns[c];
      if (errors[c] != 0) error[c] += factor * errors[c] * measure_.of(0, 1, lattice(c));
      columns[c] = errors[c] = 0;
    }
  }

  const Scenario& scenario_;
  const ErrorMeasure& measure_;
};

}  // namespace

SwapFacts swap_facts(const Scenario& scenario, const Swap& swap, const ErrorMeasure& measure) {
  const size_t columns = std::max<size_t>(scenario.axes.size(), 1);
  FlowSums sums(scenario, measure, columns);
  Integer people(0);
  for (const SwapStratum& stratum : swap.strata) {
    const std::vector<Integer> population = scenario.population(stratum.points, stratum.known);
    std::vector<Rational> factors;
    for (size_t x = 0; x < population.size(); ++x) {
      people += population[x];
      factors.emplace_back(population[x], Integer(stratum.totals[x]));
    }
    sums.add(stratum, factors);
  }
  SwapFacts facts{1 - sums.moved / people, std::move(sums.changed), std::move(sums.error), 0};
  for (size_t c = 0; c < columns; ++c) {
    if (sums.moved != 0) facts.changed_columns += facts.changed[c] / sums.moved;
    facts.changed[c] /= people;
    facts.error[c] /= people;
  }
  return facts;
}

bool keeps_frequencies(const Scenario& scenario, const Swap& swap) {
  const std::vector<const Prior*> priors = scenario.own_priors();
  if (priors.size() != swap.strata.size() || (scenario.source && scenario.source->weight)) return false;
  for (const Prior* prior : priors) {
    const SwapStratum* stratum = swap.stratum(prior->known);
    if (!stratum || !stratum->is_balanced() || union_support(prior->by_secret) != stratum->points)
      return false;
    const std::vector<Integer> population = scenario.population(stratum->points, stratum->known);
    for (size_t x = 0; x < population.size(); ++x) {
      if (population[x] * stratum->totals[0] != population[0] * stratum->totals[x]) return false;
    }
  }
  return true;
}

}  // namespace fugu::inline in_plan
