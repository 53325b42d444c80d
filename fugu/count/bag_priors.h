// The priors of a table of whose people several rows are taken (scenario/bags.h).
#pragma once

#include <cstdint>
#include <vector>

#include "fugu/count/table_count.h"
#include "fugu/scenario/scenario.h"

namespace fugu::inline in_count {

// Makes a scenario whose values are placed as those of single rows one of bags: its axes, points and priors,
// and what its source says of them. `secret_position` is that of each of the table's secrets, `value_index`
// the place of each of its values: a lattice index, or of several columns the place among the points.
// Precondition: the table has bags, and the source a person.
void put_into_bags(Scenario& scenario, const CountedTable& table, const std::vector<size_t>& secret_position,
                   const std::vector<int64_t>& value_index);

}  // namespace fugu::inline in_count
