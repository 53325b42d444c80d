// Rows that trade places: a value is released as it is, or as another one that occurs (docs/math.md, section
// 16).
//
// Within a stratum the value points[i] becomes points[flow.to] with probability flow.weight / totals[i], for
// each flow from i, and else stays. These integers are what is drawn, so they are what is proved.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "fugu/core/json.h"
#include "fugu/mechanism/channel.h"

namespace fugu::inline in_mechanism {

struct SwapFlow {
  uint32_t from = 0, to = 0;  // places among the points
  uint64_t weight = 0;
  friend bool operator==(const SwapFlow&, const SwapFlow&) = default;
};

// Invariants: points strictly increasing, not empty; as many totals, each greater than 0; flows increasing by
// (from, to), between two different points, each weight greater than 0; no more leaves a point than its
// total.
struct SwapStratum {
  std::vector<std::string> known = {};  // as Prior has it: whose rows these are; empty where nothing is known
  std::vector<int64_t> points = {};     // atoms, as the claim has them
  std::vector<uint64_t> totals = {};
  std::vector<SwapFlow> flows = {};
  friend bool operator==(const SwapStratum&, const SwapStratum&) = default;

  // By point: the weight of all that leaves it.
  std::vector<uint64_t> outflow() const;
  // Whether as much comes to each point as leaves it.
  bool is_balanced() const;
};

// Invariants: at least one stratum; of several, no two of the same known texts.
struct Swap {
  std::vector<SwapStratum> strata;
  friend bool operator==(const Swap&, const Swap&) = default;

  bool is_identity() const;
  // That of the rows whose known columns have these texts; null where there is none.
  const SwapStratum* stratum(const std::vector<std::string>& known) const;
};

// The same as a table, for what looks at every output of every value. Precondition: one column, no strata.
Channel as_channel(const Swap& swap);

// How files write the value of an atom, and how they are read: Error (data) with the place.
using PointToJson = std::function<Json(int64_t atom)>;
using PointFromJson = std::function<int64_t(const Json& value, const std::string& place)>;

// The members of a plan's "mechanism" that make it.
Json swap_to_json(const Swap& swap, const PointToJson& point);
// Error (data) with `place` when an invariant does not hold.
Swap swap_from_json(const Json& json, const PointFromJson& point, const std::string& place);

}  // namespace fugu::inline in_mechanism
