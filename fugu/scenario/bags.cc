#include "fugu/scenario/bags.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "fugu/scenario/shape.h"

namespace fugu::inline in_scenario {
namespace {

// The rows of a bag, without its padding.
std::vector<Point> rows_in(const Point& bag, uint64_t rows, size_t columns) {
  std::vector<Point> result;
  for (size_t row = 0; row < rows; ++row) {
    const auto begin = bag.begin() + static_cast<ptrdiff_t>(row * columns);
    result.emplace_back(begin, begin + static_cast<ptrdiff_t>(columns));
  }
  return result;
}

template <class Visit>
void visit_bags(const Scenario& scenario, const Visit& visit) {
  for (const Prior& prior : scenario.priors) {
    for (int64_t atom : union_support(prior.by_secret))
      visit(rows_of(prior), scenario.points[static_cast<size_t>(atom)]);
  }
}

// By prior and secret: how many people have each of these parts of a row.
using People = std::map<Point, Integer>;
People people_with(const Scenario& scenario, const Prior& prior, const Distribution& law,
                   const std::vector<size_t>& columns) {
  People people;
  for (size_t k = 0; k < law.size(); ++k) {
    const Point& bag = scenario.points[static_cast<size_t>(law.atoms()[k])];
    std::set<Point> parts;
    for (const Point& row : rows_in(bag, rows_of(prior), scenario.released_columns())) {
      Point part;
      for (size_t c : columns) part.push_back(row[c]);
      parts.insert(std::move(part));
    }
    for (const Point& part : parts) people[part] += law.weights().at(k);
  }
  return people;
}

Scenario parts_of_rows(const Scenario& scenario, const std::vector<size_t>& columns) {
  Scenario result = scenario;
  Source& source = *result.source;
  result.axes.clear();
  result.points.clear();
  source.person->rows = 1;
  source.columns.clear();
  source.published.clear();
  for (size_t c : columns) {
    result.axes.push_back(scenario.axes[c]);
    source.columns.push_back(scenario.shape(c));
    source.published.push_back(scenario.source->published[c]);
  }
  std::vector<std::vector<People>> people;
  for (const Prior& prior : scenario.priors) {
    people.emplace_back();
    for (const Distribution& law : prior.by_secret) {
      people.back().push_back(people_with(scenario, prior, law, columns));
      for (const auto& [part, count] : people.back().back()) result.points.push_back(part);
    }
  }
  sort_points(result.points);
  for (size_t p = 0; p < people.size(); ++p) {
    for (size_t s = 0; s < people[p].size(); ++s) {
      std::vector<int64_t> atoms;
      std::vector<Rational> masses;
      for (const auto& [part, count] : people[p][s]) {
        atoms.push_back(columns.size() == 1 ? part.front() : index_of(result.points, part));
        masses.emplace_back(count);
      }
      result.priors[p].by_secret[s] = Distribution::from_masses(atoms, masses);
    }
  }
  if (columns.size() == 1) {
    result.lattice = result.axes.front().lattice;
    result.axes.clear();
    result.points.clear();
  }
  return result;
}

}  // namespace

std::string name_of_rows(uint64_t rows) { return fmt::format("{} row{}", rows, rows == 1 ? "" : "s"); }

uint64_t rows_of(const Prior& prior) {
  if (prior.known.size() != 1) return 0;
  for (uint64_t rows = 1; rows <= kMostRowsOfPerson; ++rows) {
    if (prior.known.front() == std::to_string(rows)) return rows;
  }
  return 0;
}

Point bag_of(std::vector<Point> rows, const Point& padding, uint64_t most) {
  std::sort(rows.begin(), rows.end());
  rows.resize(most, padding);
  Point bag;
  for (const Point& row : rows) bag.insert(bag.end(), row.begin(), row.end());
  return bag;
}

RowNumbers::RowNumbers(const Scenario& scenario) {
  for (const Prior& prior : scenario.priors) numbers_.push_back(rows_of(prior));
  std::sort(numbers_.begin(), numbers_.end());
}

uint64_t RowNumbers::released(uint64_t rows) const {
  const auto above = std::upper_bound(numbers_.begin(), numbers_.end(), rows);
  return above == numbers_.begin() ? 0 : *std::prev(above);
}

std::string fault_of_bags(const Scenario& scenario) {
  const Source& source = *scenario.source;
  const size_t columns = source.published.size();
  const uint64_t most = scenario.rows_per_person();
  if (columns == 0 || scenario.axes.size() != columns * most)
    return "the values are not of so many rows of a person";
  for (size_t axis = columns; axis < scenario.axes.size(); ++axis) {
    if (scenario.axes[axis] != scenario.axes[axis - columns] ||
        scenario.shape(axis) != scenario.shape(axis - columns))
      return "the rows of a person are not released alike";
  }
  std::set<uint64_t> numbers;
  for (const Prior& prior : scenario.priors) {
    const uint64_t rows = rows_of(prior);
    if (rows == 0 || rows > most || prior.name != name_of_rows(rows) || !numbers.insert(rows).second)
      return "a prior is not that of people of whom a number of rows is released";
  }
  if (*numbers.rbegin() != most) return "no prior is of people with as many rows as the plan says";
  Point least;
  visit_bags(scenario, [&](uint64_t rows, const Point& bag) {
    for (const Point& row : rows_in(bag, rows, columns)) {
      if (least.empty()) least = row;
      for (size_t c = 0; c < columns; ++c) least[c] = std::min(least[c], row[c]);
    }
  });
  bool sorted = true;
  visit_bags(scenario, [&](uint64_t rows, const Point& bag) {
    sorted = sorted && bag_of(rows_in(bag, rows, columns), least, most) == bag;
  });
  if (!sorted) return "the rows of a person are not in order, or not padded alike";
  const bool others = !source.given.empty() || !source.known.empty() || !source.also.empty() ||
                      source.weight || !source.people.empty();
  if (others) return "several rows of a person go with no other columns, weights or beliefs";
  for (size_t c = 0; source.clamp.value_or(false) && c < columns; ++c) {
    if (!scenario.shape(c).is_categorical() && !clip_range(scenario.shape(c), scenario.axes[c].lattice))
      return "values are held between ends that one person may have";
  }
  return "";
}

Scenario one_row(const Scenario& scenario) {
  if (scenario.rows_per_person() == 1) return scenario;
  std::vector<size_t> columns;
  for (size_t c = 0; c < scenario.released_columns(); ++c) columns.push_back(c);
  return parts_of_rows(scenario, columns);
}

Scenario released_column(const Scenario& scenario, size_t column) {
  if (scenario.rows_per_person() > 1) return parts_of_rows(scenario, {column});
  return scenario.is_joint() ? scenario.column(column) : scenario;
}

}  // namespace fugu::inline in_scenario
