// The rows that a plan's counts stand for, and simulated releases of them.
//
//   const PlanRows rows = plan_rows(plan.scenario);
//   const RowSimulation simulation(plan, rows);
//   const std::vector<uint32_t> chosen = spread_rows(rows, 10'000, random);
//   const auto released = simulation.release(random, chosen);
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fugu/plan/plan.h"
#include "fugu/release/row_draw.h"
#include "fugu/sample/random.h"

namespace fugu::inline in_preview {

// One entry for each stratum, secret and value that occurs; of several rows of a person one for each of them.
struct PlanRows {
  std::vector<std::vector<int64_t>> values = {};  // by released column: lattice indices
  std::vector<uint32_t> secret = {};
  std::vector<const Prior*> prior = {};  // whose `known` are the texts of the known columns
  std::vector<double> weights = {};      // how many rows, or in proportion
  double total = 0;
  std::optional<uint64_t> rows = {};  // how many there are, where the scenario counts them
  size_t size() const { return weights.size(); }
};

// By what the table itself says; of masses that a model computed every secret weighs the same. The scenario
// must outlive it.
PlanRows plan_rows(const Scenario& scenario);

// Entries of so many rows: every total / count-th row from a random one on, so that each entry comes as often
// as its weight says but for one, on average exactly; of as many as there are, every row once.
std::vector<uint32_t> spread_rows(const PlanRows& rows, size_t count, SecureRandom& random);
// The same of rows that are drawn independently.
std::vector<uint32_t> random_rows(const PlanRows& rows, size_t count, SecureRandom& random);

class RowSimulation {
 public:
  // Errors of RowDraw. Both must outlive it.
  RowSimulation(const Plan& plan, const PlanRows& rows);

  // By released column, what is written for these entries: held within the range where the plan says so.
  std::vector<std::vector<int64_t>> release(SecureRandom& random, const std::vector<uint32_t>& entries) const;
  // The same of rows that were read: their places or values, as RowDraw wants them.
  void release(SecureRandom& random, std::vector<std::vector<int64_t>>& index) const;

  const RowDraw& draw() const { return draw_; }
  const std::vector<ColumnRelease>& columns() const { return columns_; }

 private:
  const PlanRows& rows_;
  const std::vector<ColumnRelease> columns_;
  const RowDraw draw_;
  std::vector<uint32_t> places_;  // by entry, of rows that are drawn as a whole
};

}  // namespace fugu::inline in_preview
