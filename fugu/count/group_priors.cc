#include "fugu/count/group_priors.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

#include "fugu/core/error.h"

namespace fugu::inline in_count {
namespace {

bool are_at_least(const std::vector<uint64_t>& people, uint64_t least) {
  return std::all_of(people.begin(), people.end(), [&](uint64_t count) { return count >= least; });
}

}  // namespace

PlacedCells place_cells(const CountedTable& table, const std::vector<size_t>& secret_position,
                        const std::vector<int64_t>& value_index) {
  PlacedCells cells;
  cells.reserve(table.cells.size());
  for (const CountedTable::Cell& cell : table.cells) {
    cells.push_back({secret_position[cell.secret], value_index[cell.value], cell.group, cell.count});
    if (!table.masses.empty()) cells.back().mass = &table.masses[cells.size() - 1];
  }
  return cells;
}

Prior prior_of(std::string name, PlacedCells cells) {
  std::sort(cells.begin(), cells.end(), [](const PlacedCell& a, const PlacedCell& b) {
    return std::tie(a.secret, a.atom) < std::tie(b.secret, b.atom);
  });
  Prior prior{std::move(name), {}};
  for (auto at = cells.begin(); at != cells.end();) {
    const size_t secret = at->secret;
    std::vector<int64_t> atoms;
    std::vector<uint64_t> counts;
    std::vector<Rational> masses;
    for (; at != cells.end() && at->secret == secret; ++at) {
      if (atoms.empty() || atoms.back() != at->atom) {
        atoms.push_back(at->atom);
        counts.push_back(0);
        masses.emplace_back(0);
      }
      counts.back() += at->count;
      if (at->mass) masses.back() += *at->mass;
    }
    const bool weighted = masses.back() != 0;
    prior.by_secret.push_back(weighted ? Distribution::from_masses(atoms, masses)
                                       : Distribution::from_counts(std::move(atoms), std::move(counts)));
  }
  return prior;
}

std::vector<std::string> GroupSizes::small_names(const CountedTable& table) const {
  std::vector<std::string> names;
  for (size_t group : small) names.emplace_back(table.groups[group].key);
  return names;
}

GroupSizes group_sizes(const CountedTable& table, uint64_t min_group, Small what) {
  const size_t secrets = table.secrets.size();
  std::vector<std::vector<uint64_t>> people(table.groups.size(), std::vector<uint64_t>(secrets, 0));
  for (const CountedTable::Cell& cell : table.cells) people[cell.group][cell.secret] += cell.count;
  std::vector<size_t> order(table.groups.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [&](size_t a, size_t b) { return table.groups[a].key < table.groups[b].key; });
  GroupSizes sizes;
  std::vector<uint64_t> together(secrets, 0);
  for (size_t group : order) {
    if (are_at_least(people[group], min_group)) {
      sizes.large.push_back(group);
      continue;
    }
    sizes.small.push_back(group);
    for (size_t s = 0; s < secrets; ++s) together[s] += people[group][s];
  }
  if (sizes.large.empty()) {
    throw Error(ErrorKind::kUsage,
                fmt::format("{}: no group has {} or more people with each of the {} secrets",
                            table.known_columns.empty() ? "--given" : "--known", min_group, secrets),
                "give fewer columns or coarser ones, or lower --min-group");
  }
  sizes.merges = !sizes.small.empty() && what == Small::kMerged && are_at_least(together, min_group);
  return sizes;
}

std::vector<Prior> group_priors(const CountedTable& table, const GroupSizes& sizes, PlacedCells cells) {
  const bool strata = !table.known_columns.empty();
  const size_t priors = sizes.large.size() + (sizes.merges ? 1 : 0);
  std::vector<size_t> prior_of_group(table.groups.size(), priors);
  for (size_t k = 0; k < sizes.large.size(); ++k) prior_of_group[sizes.large[k]] = k;
  for (size_t group : sizes.small) prior_of_group[group] = sizes.large.size();
  std::vector<PlacedCells> parts(priors);
  for (const PlacedCell& cell : cells) {
    if (prior_of_group[cell.group] < priors) parts[prior_of_group[cell.group]].push_back(cell);
  }
  std::vector<Prior> result;
  for (size_t p = 0; p < priors; ++p) {
    const bool merged = p == sizes.large.size();
    result.push_back(
        prior_of(merged ? kOtherGroups : std::string(table.groups[sizes.large[p]].key), std::move(parts[p])));
    if (strata) {
      result.back().known =
          merged ? std::vector<std::string>{kOtherGroups} : table.group_texts[sizes.large[p]];
    } else {
      result.back().kind = Prior::Kind::kGroup;
    }
  }
  return result;
}

CountedTable without_small(const CountedTable& table, const GroupSizes& sizes) {
  std::vector<bool> stays(table.groups.size(), true);
  for (size_t group : sizes.small) stays[group] = false;
  CountedTable result;
  result.name = table.name;
  result.secret_place = table.secret_place;
  result.secret_columns = table.secret_columns;
  result.given_columns = table.given_columns;
  result.known_columns = table.known_columns;
  for (const Tally::Entry& secret : table.secrets.entries())
    result.secrets.add(secret.key, secret.line, secret.count);
  for (const Tally::Entry& group : table.groups.entries())
    result.groups.add(group.key, group.line, group.count);
  result.group_texts = table.group_texts;
  for (const CountedColumn& column : table.published)
    result.published.push_back({column.name, column.place, column.kind});
  result.rows = table.rows;
  result.dropped = table.dropped;
  result.extra_column = table.extra_column;
  result.people = table.people;
  result.unit = table.unit;
  result.dropped_secrets = table.dropped_secrets;
  result.dropped_groups = table.dropped_groups;
  const bool joint = table.published.size() > 1;
  std::map<std::vector<size_t>, size_t> places;
  for (size_t k = 0; k < table.cells.size(); ++k) {
    const CountedTable::Cell& cell = table.cells[k];
    if (!stays[cell.group]) continue;
    std::vector<size_t> values;
    for (size_t c = 0; c < table.published.size(); ++c) {
      const CountedColumn& column = table.published[c];
      const size_t value = joint ? table.joint[cell.value][c] : cell.value;
      CountedColumn& to = result.published[c];
      values.push_back(to.values.add(column.values[value].key, column.values[value].line, cell.count));
      if (column.missing == value) to.missing = values.back();
    }
    size_t value = values.front();
    if (joint) {
      const auto [place, fresh] = places.try_emplace(values, result.joint.size());
      if (fresh) result.joint.push_back(values);
      value = place->second;
    }
    result.cells.push_back({cell.secret, value, cell.group, cell.count});
    if (!table.masses.empty()) result.masses.push_back(table.masses[k]);
  }
  return result;
}

}  // namespace fugu::inline in_count
