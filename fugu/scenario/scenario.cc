#include "fugu/scenario/scenario.h"

#include <algorithm>
#include <map>

#include "fugu/scenario/domain.h"
#include "fugu/scenario/shape.h"

namespace fugu::inline in_scenario {

bool Scenario::has_laws() const {
  return std::any_of(priors.begin(), priors.end(), [](const Prior& prior) { return !prior.laws.empty(); });
}

std::vector<Integer> Scenario::population(const std::vector<int64_t>& values) const {
  std::vector<Integer> counts(values.size(), Integer(0));
  Integer common(1);
  const auto& laws = priors.front().by_secret;
  const bool computed =
      std::any_of(laws.begin(), laws.end(), [](const Distribution& law) { return law.blur() != 0; });
  if (computed) {
    for (const Distribution& secret : laws) common = lcm(common, secret.total());
  }
  for (const Distribution& secret : laws) {
    const Integer factor = computed ? Integer(common / secret.total()) : common;
    for (size_t k = 0; k < secret.size(); ++k) {
      const auto found = std::lower_bound(values.begin(), values.end(), secret.atoms()[k]);
      if (found != values.end() && *found == secret.atoms()[k])
        counts[static_cast<size_t>(found - values.begin())] += secret.weights().at(k) * factor;
    }
  }
  return counts;
}

std::vector<Integer> Scenario::people(const std::vector<int64_t>& values) const {
  if (!source || !source->weight) return population(values);
  std::vector<Integer> counts(values.size(), Integer(0));
  for (const auto& [index, rows] : source->weight->rows.front()) {
    const auto found = std::lower_bound(values.begin(), values.end(), index);
    if (found != values.end() && *found == index) counts[static_cast<size_t>(found - values.begin())] += rows;
  }
  return counts;
}

std::pair<int64_t, int64_t> Scenario::bounds() const {
  if (source && !source->labels.empty()) return {1, static_cast<int64_t>(source->labels.size())};
  if (confidence && !is_joint()) {
    const std::vector<int64_t> domain = domain_of(*this);
    return {domain.front(), domain.back()};
  }
  int64_t low = INT64_MAX, high = INT64_MIN;
  for (const Prior& prior : priors) {
    for (const Distribution& given : prior.by_secret) {
      low = std::min(low, given.atoms().front());
      high = std::max(high, given.atoms().back());
    }
  }
  return {low, high};
}

std::pair<int64_t, int64_t> Scenario::range() const {
  const auto clip = source ? clip_range(*source, lattice) : std::nullopt;
  return clip ? *clip : bounds();
}

bool Scenario::clamps() const { return source && (!source->labels.empty() || source->clamp.value_or(false)); }

std::string Scenario::value_text(int64_t index) const {
  if (source && index >= 1 && static_cast<size_t>(index) <= source->labels.size()) {
    return source->labels[static_cast<size_t>(index) - 1];
  }
  return to_text(lattice.value(index));
}

Scenario Scenario::column(size_t axis) const {
  Scenario result = *this;
  result.axes.clear();
  result.points.clear();
  result.lattice = axes[axis].lattice;
  if (source) {
    result.source->labels = axes[axis].labels;
    result.source->step = axes[axis].step;
    if (axis < source->published.size()) result.source->published = {source->published[axis]};
    if (source->weight) result.source->weight->rows = {source->weight->rows[axis]};
  }
  for (Prior& prior : result.priors) {
    for (Distribution& given : prior.by_secret) {
      std::map<int64_t, Integer> sums;
      for (size_t k = 0; k < given.size(); ++k)
        sums[points[static_cast<size_t>(given.atoms()[k])][axis]] += given.weights().at(k);
      std::vector<int64_t> atoms;
      std::vector<Rational> masses;
      for (const auto& [atom, mass] : sums) {
        atoms.push_back(atom);
        masses.emplace_back(mass);
      }
      given = Distribution::from_masses(atoms, masses);
    }
  }
  return result;
}

void mark_groups(Scenario& scenario) {
  if (!scenario.source || scenario.source->given.empty()) return;
  for (Prior& prior : scenario.priors) {
    const bool group = is_group_name(prior.name, scenario.source->given.front(), scenario.source->header);
    prior.kind = group ? Prior::Kind::kGroup : Prior::Kind::kStated;
  }
}

}  // namespace fugu::inline in_scenario
