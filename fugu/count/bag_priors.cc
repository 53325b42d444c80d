#include "fugu/count/bag_priors.h"

#include <algorithm>
#include <map>

#include "fugu/count/group_priors.h"
#include "fugu/scenario/bags.h"

namespace fugu::inline in_count {
namespace {

std::vector<std::string> names_of(const std::vector<uint64_t>& numbers) {
  std::vector<std::string> names;
  for (uint64_t rows : numbers) names.push_back(name_of_rows(rows));
  return names;
}

}  // namespace

void put_into_bags(Scenario& scenario, const CountedTable& table, const std::vector<size_t>& secret_position,
                   const std::vector<int64_t>& value_index) {
  auto row_at = [&](size_t value) {
    return scenario.is_joint() ? scenario.points[static_cast<size_t>(value_index[value])]
                               : Point{value_index[value]};
  };
  Point least = row_at(table.bags.front().values.front());
  for (const CountedTable::Bag& bag : table.bags) {
    for (size_t value : bag.values) {
      const Point row = row_at(value);
      for (size_t c = 0; c < row.size(); ++c) least[c] = std::min(least[c], row[c]);
    }
  }
  const uint64_t most = table.numbers.released.back();
  std::vector<Point> found;
  for (const CountedTable::Bag& bag : table.bags) {
    std::vector<Point> rows;
    for (size_t value : bag.values) rows.push_back(row_at(value));
    found.push_back(bag_of(std::move(rows), least, most));
  }
  if (!scenario.is_joint()) scenario.axes = {{scenario.lattice}};
  Source& source = *scenario.source;
  const std::vector<Axis> axes = std::move(scenario.axes);
  const std::vector<ColumnShape> shapes = std::move(source.columns);
  scenario.lattice = {};
  scenario.axes.clear();
  source.columns.clear();
  for (uint64_t row = 0; row < most; ++row) {
    scenario.axes.insert(scenario.axes.end(), axes.begin(), axes.end());
    source.columns.insert(source.columns.end(), shapes.begin(), shapes.end());
  }
  scenario.points = found;
  sort_points(scenario.points);
  std::map<uint64_t, PlacedCells> cells;  // by number of rows
  for (size_t k = 0; k < found.size(); ++k) {
    const CountedTable::Bag& bag = table.bags[k];
    cells[bag.values.size()].push_back(
        {secret_position[bag.secret], index_of(scenario.points, found[k]), 0, 1});
  }
  for (auto& [rows, people] : cells) {
    Prior prior = prior_of(name_of_rows(rows), std::move(people));
    prior.known = {std::to_string(rows)};
    scenario.priors.push_back(std::move(prior));
  }
  source.person->rows = most;
  source.merged = names_of(table.numbers.lowered);
  source.left_out = names_of(table.numbers.left_out);
}

}  // namespace fugu::inline in_count
