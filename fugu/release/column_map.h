// One released column without the question behind it: how its fields become lattice points, and what is
// drawn for them.
//
// This is what a worker on another machine gets: the mechanism and the map of values, no secrets, and no
// counts but how often each value occurs where values trade places. It is private.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fugu/core/json.h"
#include "fugu/mechanism/mechanism.h"
#include "fugu/plan/plan.h"
#include "fugu/rows/plan_values.h"
#include "fugu/scenario/scenario.h"

namespace fugu::inline in_release {

struct ColumnMap {
  std::string name = {};  // of the column; empty where the source names none
  Lattice lattice{};
  // Of one column: its shape, na, missing; nothing else.
  Source source = {};
  int64_t low = 0, high = 0;  // the outermost values that the plan speaks of
  Runs values = {};           // those that it speaks of; of one of several columns, with some of the others
  bool clamps = false;        // released values are held within the range
  std::pair<int64_t, int64_t> range = {};
};

// Of a scenario of one column.
ColumnMap column_map(const Scenario& scenario);

struct ColumnRelease {
  ColumnMap map;
  // Noise, a channel or a swap of its values; absent where whole rows are drawn (row_draw.h).
  std::optional<Mechanism> mechanism;
};

// The values that a channel or a swap knows; null where any lattice point within the range will do.
const std::vector<int64_t>* inputs_of(const ColumnRelease& column);

// Whether rows trade places as a whole: of several columns, and within strata.
bool draws_whole_rows(const Plan& plan);

// Those of a plan, one for each released column. Nothing is verified here.
std::vector<ColumnRelease> column_releases(const Plan& plan);

// Lattice indices and atoms, as what workers get writes them. Error (data) with `place`.
int64_t need_index(const Json& number, const std::string& place);
Json runs_to_json(const Runs& runs);
Runs runs_from_json(const Json& json, const std::string& place);

Json column_map_to_json(const ColumnMap& map);
// Error (data) with `place`.
ColumnMap column_map_from_json(const Json& json, const std::string& place);

// Precondition: there is a mechanism.
Json column_release_to_json(const ColumnRelease& column);
// Error (data) with `place`.
ColumnRelease column_release_from_json(const Json& json, const std::string& place);

}  // namespace fugu::inline in_release
