#include "fugu/preview/drawn_rows.h"

#include <algorithm>

namespace fugu::inline in_preview {
namespace {

constexpr uint64_t kFewDraws = 20;           // of a large table
constexpr uint64_t kUncountedRows = 10'000;  // of a scenario that counts none
constexpr uint64_t kMostCells = 4'000'000;   // simulated rows times columns
constexpr size_t kTwinRows = 50'000;

void append_rows(std::vector<std::vector<int64_t>>& to, const std::vector<std::vector<int64_t>>& more) {
  to.resize(more.size());
  for (size_t c = 0; c < more.size(); ++c) to[c].insert(to[c].end(), more[c].begin(), more[c].end());
}

}  // namespace

DrawnRows draw_rows(const Plan& plan, const PlanRows& rows, const DrawSize& size) {
  const RowSimulation simulation(plan, rows);
  const uint64_t most = std::max<uint64_t>(std::min(size.rows, kMostCells / rows.values.size()), 1);
  const uint64_t whole = std::max<uint64_t>(rows.rows.value_or(kUncountedRows), 1);
  DrawnRows drawn;
  drawn.draws = size.draws.value_or(std::clamp<uint64_t>(most / whole, kFewDraws, kMostDraws));
  drawn.each = std::max<uint64_t>(std::min(whole, most / drawn.draws), 1);
  SecureRandom random;
  for (uint64_t k = 0; k < drawn.draws; ++k) {
    const std::vector<uint32_t> entries = spread_rows(rows, drawn.each, random);
    drawn.entries.insert(drawn.entries.end(), entries.begin(), entries.end());
    append_rows(drawn.released, simulation.release(random, entries));
    if (k == 0 || drawn.twins.front().size() < kTwinRows)
      append_rows(drawn.twins, simulation.release(random, entries));
  }
  return drawn;
}

}  // namespace fugu::inline in_preview
