// The priors of a counted table: of all its people, and of each group that an adversary may know
// (docs/math.md, section 9), or of each stratum of people who agree in what is known (section 16).
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

// What becomes of groups that are too small. Which are, depends on the table: of those that are merged it
// says nothing that holds with a confidence.
enum class Small { kMerged, kLeftOut };

// The groups of a table, as places among its groups, in the order of their names.
struct GroupSizes {
  std::vector<size_t> large;  // at least so many people with each secret
  std::vector<size_t> small;
  bool merges = false;  // the small ones are one prior together, kOtherGroups

  std::vector<std::string> small_names(const CountedTable& table) const;
};

// Small groups are merged if together they have as many people; else, and with Small::kLeftOut, they are left
// out. Error (usage) when no group is large enough. Precondition: the table has given or known columns.
GroupSizes group_sizes(const CountedTable& table, uint64_t min_group, Small what);

// A prior for each large group, then that of those that are merged; of known columns with their texts.
std::vector<Prior> group_priors(const CountedTable& table, const GroupSizes& sizes, PlacedCells cells);

// The table without the people of its small groups, and without what only they have: nothing is promised for
// them, and nothing of them is to be told.
CountedTable without_small(const CountedTable& table, const GroupSizes& sizes);

}  // namespace fugu::inline in_count
