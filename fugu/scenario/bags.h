// Several rows of one person: the value is the person's bag of rows (docs/math.md, section 18).
//
// A scenario of bags is one of several columns. Its axes are the released columns of the first row, then
// those of the second, and so on. A bag's rows come first, in increasing order, and behind them padding: in
// each column its least value, the same for everybody, so that it says nothing. How many rows of a person are
// released is known to everybody: each number is a prior of its own, whose `known` text it is, and there is
// no prior of the whole table.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fugu/scenario/columns.h"
#include "fugu/scenario/scenario.h"

namespace fugu::inline in_scenario {

inline constexpr uint64_t kMostRowsOfPerson = 64;

// "1 row", "2 rows": the name of the prior of those people.
std::string name_of_rows(uint64_t rows);
// How many rows a prior's people have; 0 where it does not say so.
uint64_t rows_of(const Prior& prior);

// The bag of these rows, of which there are 1 to `most`.
Point bag_of(std::vector<Point> rows, const Point& padding, uint64_t most);

// The numbers of rows that are released of people, increasing. A person with others has the largest that is
// not above, and with fewer than the least none.
class RowNumbers {
 public:
  explicit RowNumbers(std::vector<uint64_t> numbers) : numbers_(std::move(numbers)) {}
  // Those of a scenario's priors.
  explicit RowNumbers(const Scenario& scenario);
  uint64_t released(uint64_t rows) const;
  const std::vector<uint64_t>& all() const { return numbers_; }

 private:
  std::vector<uint64_t> numbers_;
};

// What is wrong with a scenario that says that it is of bags; empty where nothing is.
std::string fault_of_bags(const Scenario& scenario);

// One row of a person: the scenario of the released columns, in which a person counts once for each different
// row of the bag. The same scenario where a person has one row.
Scenario one_row(const Scenario& scenario);
// The released column by itself; a person counts once for each different value of the bag.
Scenario released_column(const Scenario& scenario, size_t column);

}  // namespace fugu::inline in_scenario
