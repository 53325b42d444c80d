// The priors of a counted table: of all its people, and of each group that an adversary may know
// (docs/math.md, section 9).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fugu/count/table_count.h"
#include "fugu/scenario/scenario.h"

namespace fugu::inline in_count {

// A cell of a table where it belongs: its secret in the scenario's order, its value on the lattice.
struct PlacedCell {
  size_t secret;
  int64_t atom;
  size_t group;
  uint64_t count;
  const Integer* mass = nullptr;  // where rows have weights; lives as long as the table
};
using PlacedCells = std::vector<PlacedCell>;

PlacedCells place_cells(const CountedTable& table, const std::vector<size_t>& secret_position,
                        const std::vector<int64_t>& value_index);

// Precondition: the cells have every secret.
Prior prior_of(std::string name, PlacedCells cells);

// The groups that are no priors of their own, by name.
struct SmallGroups {
  std::vector<std::string> merged;
  std::vector<std::string> left_out;
};

// What becomes of groups that are too small. Which are, depends on the table: of those that are merged it
// says nothing that holds with a confidence.
enum class Small { kMerged, kLeftOut };

// Adds a prior for each group that has at least `min_group` people with each of the secrets, in the order of
// the groups' names. The other groups are merged into one, kOtherGroups, if together they have as many; else,
// and with Small::kLeftOut, they are left out. Error (usage) when no group is large enough.
SmallGroups add_group_priors(std::vector<Prior>& priors, const CountedTable& table, PlacedCells cells,
                             size_t secrets, uint64_t min_group, Small what);

}  // namespace fugu::inline in_count
