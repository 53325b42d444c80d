#include "fugu/scenario/scenario.h"

#include <algorithm>
#include <map>
#include <set>

#include "fugu/scenario/domain.h"
#include "fugu/scenario/shape.h"

namespace fugu::inline in_scenario {

namespace {

const ColumnShape kNoShape;

}  // namespace

bool Scenario::has_laws() const {
  return std::any_of(priors.begin(), priors.end(), [](const Prior& prior) { return !prior.laws.empty(); });
}

namespace {

void add_population(const Prior& prior, const std::vector<int64_t>& values, std::vector<Integer>& counts) {
  Integer common(1);
  const auto& laws = prior.by_secret;
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
}

}  // namespace

std::vector<Integer> Scenario::population(const std::vector<int64_t>& values) const {
  std::vector<Integer> counts(values.size(), Integer(0));
  for (const Prior* prior : own_priors()) add_population(*prior, values, counts);
  return counts;
}

std::vector<Integer> Scenario::population(const std::vector<int64_t>& values,
                                          const std::vector<std::string>& known) const {
  std::vector<Integer> counts(values.size(), Integer(0));
  for (const Prior* prior : own_priors()) {
    if (prior->known == known) add_population(*prior, values, counts);
  }
  return counts;
}

std::vector<const Prior*> Scenario::own_priors() const {
  std::set<std::vector<std::string>> seen;
  std::vector<const Prior*> result;
  for (const Prior& prior : priors) {
    if (seen.insert(prior.known).second) result.push_back(&prior);
  }
  return result;
}

std::vector<int64_t> Scenario::own_support() const {
  std::vector<Distribution> laws;
  for (const Prior* prior : own_priors())
    laws.insert(laws.end(), prior->by_secret.begin(), prior->by_secret.end());
  return union_support(laws);
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
  if (source && !source->shape().labels.empty())
    return {1, static_cast<int64_t>(source->shape().labels.size())};
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

namespace {

// The value of the k-th lowest and the k-th highest person.
std::optional<std::pair<int64_t, int64_t>> ends_of_people(const Scenario& scenario, uint64_t k) {
  const std::vector<int64_t> values = scenario.own_support();
  const std::vector<Integer> people = scenario.people(values);
  Integer below(0), above(0);
  size_t low = 0, high = values.size();
  while (low < values.size() && (below += people[low]) < k) ++low;
  while (high > 0 && (above += people[high - 1]) < k) --high;
  if (high == 0 || low > high - 1) return std::nullopt;
  return std::pair(values[low], values[high - 1]);
}

std::optional<std::pair<int64_t, int64_t>> people_range(const Scenario& scenario) {
  if (!scenario.source || scenario.source->range_people == 0 || scenario.source->shape().is_categorical() ||
      clip_range(scenario.source->shape(), scenario.lattice))
    return std::nullopt;
  return ends_of_people(scenario, scenario.source->range_people);
}

}  // namespace

bool Scenario::has_range_of_people() const { return people_range(*this).has_value(); }

std::pair<int64_t, int64_t> Scenario::range() const {
  if (const auto clip = source ? clip_range(source->shape(), lattice) : std::nullopt) return *clip;
  return people_range(*this).value_or(bounds());
}

bool Scenario::clamps() const {
  return source && (!source->shape().labels.empty() || source->clamp.value_or(false));
}

std::string Scenario::value_text(int64_t index) const {
  return source ? source->shape().text(lattice, index) : to_text(lattice.value(index));
}

bool Source::releases_secret() const {
  return std::ranges::any_of(
      secret, [&](const std::string& name) { return std::ranges::count(published, name) > 0; });
}

const ColumnShape& Source::shape() const { return columns.size() == 1 ? columns.front() : kNoShape; }

const ColumnShape& Scenario::shape(size_t axis) const {
  return source && axis < source->columns.size() ? source->columns[axis] : kNoShape;
}

Scenario Scenario::column(size_t axis) const {
  Scenario result = *this;
  result.axes.clear();
  result.points.clear();
  result.lattice = axes[axis].lattice;
  if (source) {
    result.source->columns = {shape(axis)};
    const size_t column = axis % released_columns();
    if (column < source->published.size()) result.source->published = {source->published[column]};
    if (source->person) result.source->person->rows = 1;
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
