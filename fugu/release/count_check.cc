#include "fugu/release/count_check.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>

namespace fugu::inline in_release {
namespace {

// Rows, and their mass: the same, or their weights in the plan's units.
struct CellSum {
  uint64_t rows = 0;
  Rational mass = 0;
};
using SecretCounts = std::map<std::pair<std::string, int64_t>, CellSum>;  // by label and lattice index

struct Counted {
  SecretCounts whole;                          // the table, but for strata that are left out
  std::map<std::string, SecretCounts> groups;  // by the name of the group
};

void add(CellSum& sum, const CellSum& more) {
  sum.rows += more.rows;
  sum.mass += more.mass;
}

Counted by_group(const Source& source, const CellCounts& counts, const CellMasses& masses) {
  Counted result;
  for (const auto& [cell, count] : counts) {
    const auto& [group, secret, value] = cell;
    const auto mass = masses.find(cell);
    const CellSum here{count, !source.weight         ? Rational(count)
                              : mass == masses.end() ? Rational(0)
                                                     : Rational(mass->second / source.weight->unit)};
    const bool released = !source.has_strata() || std::find(source.left_out.begin(), source.left_out.end(),
                                                            group) == source.left_out.end();
    if (released) add(result.whole[{secret, value}], here);
    add(result.groups[group][{secret, value}], here);
  }
  return result;
}

void add(SecretCounts& sum, const SecretCounts& more) {
  for (const auto& [cell, here] : more) add(sum[cell], here);
}

// Whether as many rows have each value as the plan says, which tells what few people share.
bool are_rows_of(const Scenario& scenario, const SecretCounts& whole) {
  const auto& expected = scenario.source->weight->rows;
  std::vector<std::map<int64_t, uint64_t>> rows(expected.size());
  for (const auto& [cell, here] : whole) {
    for (size_t c = 0; c < rows.size(); ++c) {
      if (scenario.is_joint() && cell.second < 0) return false;
      rows[c][scenario.is_joint() ? scenario.points[static_cast<size_t>(cell.second)][c] : cell.second] +=
          here.rows;
    }
  }
  for (size_t c = 0; c < rows.size(); ++c) {
    if (!std::equal(rows[c].begin(), rows[c].end(), expected[c].begin(), expected[c].end(),
                    [](const auto& a, const auto& b) { return a.first == b.first && a.second == b.second; }))
      return false;
  }
  return true;
}

bool is_small(const Scenario& scenario, const SecretCounts& group) {
  std::map<std::string, uint64_t> people;
  for (const auto& [cell, here] : group) people[cell.first] += here.rows;
  return std::any_of(scenario.secrets.begin(), scenario.secrets.end(),
                     [&](const std::string& secret) { return people[secret] < scenario.source->min_group; });
}

// Takes the named groups, which must be there and each be small, out of the others, and adds them up.
std::optional<SecretCounts> taken_together(const Scenario& scenario, const std::vector<std::string>& names,
                                           std::map<std::string, SecretCounts>& groups) {
  SecretCounts sum;
  for (const std::string& name : names) {
    const auto found = groups.find(name);
    if (found == groups.end() || !is_small(scenario, found->second)) return std::nullopt;
    add(sum, found->second);
    groups.erase(found);
  }
  return sum;
}

bool agrees(const std::vector<std::string>& secrets, const Prior& prior, const SecretCounts& counts) {
  size_t cells = 0;
  for (size_t s = 0; s < secrets.size(); ++s) {
    const Distribution& given = prior.by_secret[s];
    cells += given.size();
    for (size_t k = 0; k < given.size(); ++k) {
      const auto found = counts.find({secrets[s], given.atoms()[k]});
      if (found == counts.end() || given.weights().at(k) != found->second.mass) return false;
    }
  }
  return cells == counts.size();
}

// The priors that are counts of groups: of the given columns, or of the strata that known ones make.
std::vector<const Prior*> counted_groups(const Scenario& scenario) {
  if (scenario.source->has_strata()) return scenario.own_priors();
  std::vector<const Prior*> groups;
  for (size_t p = 1; p < scenario.priors.size(); ++p) {
    if (scenario.priors[p].is_group()) groups.push_back(&scenario.priors[p]);  // else it came from a file
  }
  return groups;
}

// Every group is large and has the prior of its name, or is small and named as merged or left out; and no
// other prior is a group's.
bool are_groups_of(const Scenario& scenario, std::map<std::string, SecretCounts> groups) {
  const Source& source = *scenario.source;
  const auto left_out = taken_together(scenario, source.left_out, groups);
  auto merged = taken_together(scenario, source.merged, groups);
  if (!left_out || !merged) return false;
  // What is large together would have been merged, but not with a confidence.
  if (!scenario.confidence && !left_out->empty() && !is_small(scenario, *left_out)) return false;
  if (!merged->empty()) groups[kOtherGroups] = std::move(*merged);
  for (const Prior* prior : counted_groups(scenario)) {
    const auto found = groups.find(prior->name);
    if (found == groups.end() || is_small(scenario, found->second) ||
        !agrees(scenario.secrets, *prior, found->second))
      return false;
    groups.erase(found);
  }
  return groups.empty();
}

}  // namespace

bool are_counts_of(const Scenario& scenario, const CellCounts& counts, const CellMasses& masses) {
  if (scenario.blur() != 0) return false;  // a model was not counted
  Counted counted = by_group(*scenario.source, counts, masses);
  if (scenario.source->weight && !are_rows_of(scenario, counted.whole)) return false;
  const Source& source = *scenario.source;
  if (!source.has_strata() && !agrees(scenario.secrets, scenario.priors.front(), counted.whole)) return false;
  return source.grouping().empty() || are_groups_of(scenario, std::move(counted.groups));
}

bool are_values_of(const Scenario& scenario, const std::vector<std::pair<int64_t, uint64_t>>& counts) {
  if (scenario.blur() != 0) return false;
  std::map<int64_t, Integer> expected;
  for (const Prior* prior : scenario.own_priors()) {
    for (const Distribution& given : prior->by_secret) {
      for (size_t k = 0; k < given.size(); ++k) expected[given.atoms()[k]] += given.weights().at(k);
    }
  }
  if (expected.size() != counts.size()) return false;
  return std::all_of(counts.begin(), counts.end(), [&](const auto& value) {
    const auto found = expected.find(value.first);
    return found != expected.end() && found->second == value.second;
  });
}

}  // namespace fugu::inline in_release
