// Whether the bags of rows of a table's people are those that a plan was made from (scenario/bags.h).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "fugu/release/row_reader.h"
#include "fugu/rows/row_rule.h"
#include "fugu/scenario/columns.h"

namespace fugu::inline in_release {

class BagCounter {
 public:
  // The layout, whose terms have the columns' maps, and the scenario must outlive it.
  BagCounter(const RowLayout& layout, const Scenario& scenario);

  // A row of a person. Errors of RowRule::refusal().
  void add(std::string_view texts, uint64_t line);
  // The person's rows have all come; one without rows is not counted.
  void close();

  bool are_the_plans() const;

 private:
  const RowLayout& layout_;
  const Scenario& scenario_;
  RowRule rule_;
  Point padding_;
  std::vector<Point> rows_;  // of the person
  std::string secret_;
  bool others_ = false;
  // By number of rows, secret and bag.
  std::map<std::tuple<uint64_t, std::string, Point>, uint64_t> people_;
};

}  // namespace fugu::inline in_release
