// Simulated releases of a plan's rows, all draws one after the other.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "fugu/preview/plan_rows.h"

namespace fugu::inline in_preview {

struct DrawnRows {
  uint64_t draws = 0, each = 0;                     // rows of each draw
  std::vector<uint32_t> entries = {};               // of PlanRows
  std::vector<std::vector<int64_t>> released = {};  // by column
  // The first of these rows released once more, for how much two draws of a row differ.
  std::vector<std::vector<int64_t>> twins = {};
  size_t rows() const { return entries.size(); }
};

struct DrawSize {
  std::optional<uint64_t> draws = {};  // absent: 20, and of small tables as many as there is room for
  uint64_t rows = 0;                   // of all draws together, at most
};

// Errors of RowSimulation.
DrawnRows draw_rows(const Plan& plan, const PlanRows& rows, const DrawSize& size);

inline constexpr uint64_t kMostDraws = 1000;

}  // namespace fugu::inline in_preview
