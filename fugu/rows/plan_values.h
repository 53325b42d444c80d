// The values that a plan's promise speaks of: those to which a prior gives mass.
//
// A value that no prior can explain is one that the proof never saw: between 1 and 10, where the table had no
// 5, a 5 may be what only one secret has. New data must not have it (docs/guarantees.md).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "fugu/scenario/columns.h"
#include "fugu/scenario/scenario.h"

namespace fugu::inline in_rows {

// Whole numbers as runs, first to last, increasing and apart.
using Runs = std::vector<std::pair<int64_t, int64_t>>;
// Precondition: strictly increasing.
Runs runs_of(const std::vector<int64_t>& numbers);
bool is_among(const Runs& runs, int64_t number);

class PlanValues {
 public:
  // Errors of boxes_of().
  explicit PlanValues(const Scenario& scenario);
  // Of one column by itself, whoever's it is.
  explicit PlanValues(Runs all) : all_(std::move(all)) {}
  // The same of those that all(), groups() and points() gave.
  PlanValues(Runs all, std::map<std::string, Runs> groups, std::vector<Point> points)
      : all_(std::move(all)), groups_(std::move(groups)), points_(std::move(points)) {}

  // Of one column: those of every prior.
  const Runs& all() const { return all_; }
  // By the groups that have some of their own.
  const std::map<std::string, Runs>& groups() const { return groups_; }
  // Of several columns: the values of the atoms.
  const std::vector<Point>& points() const { return points_; }

  // Whether a prior gives mass to the value of a person of that group: the group's own prior, or one that is
  // no group's; where columns are known, a prior of the stratum; of people whose group is no prior or not
  // known ("") any. With a confidence, whether the
  // counts leave it some.
  bool has(const std::string& group, int64_t atom) const;
  // Of several columns by their values.
  bool has(const std::string& group, const Point& point) const;
  // What a prior of the group gives mass to and differs least: in how many columns, of numbers by the part of
  // the column's range. It depends on the value and the group alone.
  Point nearest(const std::string& group, const Point& point) const;

 private:
  const Runs& of_group(const std::string& group) const;
  double distance(const Point& a, const Point& b) const;

  Runs all_;  // atoms, as Scenario has them
  std::map<std::string, Runs> groups_;
  std::vector<Point> points_;
  std::vector<double> ranges_;  // of each column of numbers; 0 of categories, and where all are equal
};

}  // namespace fugu::inline in_rows
