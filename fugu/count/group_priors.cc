#include "fugu/count/group_priors.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <tuple>

#include "fugu/core/error.h"

namespace fugu::inline in_count {
namespace {

using CellSpan = std::pair<PlacedCells::iterator, PlacedCells::iterator>;

bool is_large(const CellSpan& cells, size_t secrets, uint64_t least) {
  std::vector<uint64_t> people(secrets, 0);
  for (auto cell = cells.first; cell != cells.second; ++cell) people[cell->secret] += cell->count;
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

SmallGroups add_group_priors(std::vector<Prior>& priors, const CountedTable& table, PlacedCells cells,
                             size_t secrets, uint64_t min_group, Small what) {
  const std::vector<Tally::Entry>& groups = table.groups.entries();
  std::vector<size_t> order(groups.size()), rank(groups.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return groups[a].key < groups[b].key; });
  for (size_t k = 0; k < order.size(); ++k) rank[order[k]] = k;
  std::sort(cells.begin(), cells.end(),
            [&](const PlacedCell& a, const PlacedCell& b) { return rank[a.group] < rank[b.group]; });

  std::vector<std::string> small;
  PlacedCells others;
  const size_t before = priors.size();
  for (auto at = cells.begin(); at != cells.end();) {
    const size_t group = at->group;
    const auto end =
        std::find_if(at, cells.end(), [&](const PlacedCell& cell) { return cell.group != group; });
    std::string name(groups[group].key);
    if (is_large({at, end}, secrets, min_group)) {
      priors.push_back(prior_of(std::move(name), {at, end}));
      priors.back().kind = Prior::Kind::kGroup;
    } else {
      small.push_back(std::move(name));
      others.insert(others.end(), at, end);
    }
    at = end;
  }
  if (priors.size() == before) {
    throw Error(ErrorKind::kUsage,
                fmt::format("--given: no group has {} or more people with each of the {} secrets", min_group,
                            secrets),
                "give fewer columns or coarser ones, or lower --min-group");
  }
  if (small.empty()) return {};
  if (what == Small::kLeftOut || !is_large({others.begin(), others.end()}, secrets, min_group))
    return {{}, std::move(small)};
  priors.push_back(prior_of(kOtherGroups, std::move(others)));
  priors.back().kind = Prior::Kind::kGroup;
  return {std::move(small), {}};
}

}  // namespace fugu::inline in_count
