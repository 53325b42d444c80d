#include "fugu/calibrate/swap_blocks.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <random>

#include "fugu/calibrate/calibrate.h"
#include "fugu/solve/pool.h"
#include "fugu/verify/verify.h"
#include "tests/support/random_scenario.h"

namespace fugu {
namespace {

const Progress kSilent;

// Rows with counts by secret, under the table's own prior and others; each row its own class.
struct ManyRows {
  CirculationProblem problem;
  ExchangedRows rows;
};

ManyRows many_rows(size_t size, size_t secrets, size_t priors) {
  std::mt19937 random(*rc::gen::arbitrary<uint32_t>());
  ManyRows made;
  made.problem = {.weights = std::vector<double>(size, 0), .secrets = secrets, .masses = {}, .epsilon = 0.5};
  made.rows = {std::vector<uint64_t>(size, 0), {}, std::vector<SimilarColumn>(2)};
  std::vector<uint64_t> cells(size * secrets);
  double all = 0;
  for (size_t x = 0; x < size; ++x) {
    for (size_t s = 0; s < secrets; ++s) made.rows.counts[x] += cells[x * secrets + s] = random() % 9 / 2;
    if (made.rows.counts[x] == 0) made.rows.counts[x] = cells[x * secrets] = 1;
    all += static_cast<double>(made.rows.counts[x]);
    made.rows.classes.push_back(static_cast<uint32_t>(x));
    for (SimilarColumn& column : made.rows.columns) column.values.push_back(random() % 5);
  }
  for (size_t x = 0; x < size; ++x) made.problem.weights[x] = static_cast<double>(made.rows.counts[x]) / all;
  for (size_t p = 0; p < priors; ++p) {
    std::vector<double>& masses = made.problem.masses.emplace_back(size * secrets);
    for (size_t s = 0; s < secrets; ++s) {
      double sum = 0;
      for (size_t x = 0; x < size; ++x) {
        const double factor = p == 0 ? 1 : 0.5 + static_cast<double>(random() % 100) / 100;
        sum += masses[x * secrets + s] = factor * static_cast<double>(cells[x * secrets + s]);
      }
      for (size_t x = 0; x < size; ++x) masses[x * secrets + s] /= sum;
    }
  }
  return made;
}

RC_GTEST_PROP(SwapBlocksProperty, KeepEpsilonAndEveryFrequency, ()) {
  const auto secrets = *rc::gen::inRange<size_t>(2, 6), priors = *rc::gen::inRange<size_t>(1, 4);
  const ManyRows made = many_rows(*rc::gen::inRange<size_t>(100, 300), secrets, priors);
  const bool by_columns = *rc::gen::arbitrary<bool>();
  const BlockExchange found = exchange_in_blocks(made.problem, made.rows, by_columns, 0, Patience{kSilent});
  RC_ASSERT(found.outcome == Circulation::kSolved);
  const RowExchange& exchange = found.exchange;
  const size_t size = made.rows.counts.size();
  std::vector<uint64_t> in(size, 0), out(size, 0);
  double changed = 0, all = 0;
  for (const RowFlow& flow : exchange.flows) {
    RC_ASSERT(flow.from != flow.to);
    RC_ASSERT(flow.weight > 0);
    out[flow.from] += flow.weight;
    in[flow.to] += flow.weight;
    changed += static_cast<double>(flow.weight);
  }
  RC_ASSERT(in == out);
  for (size_t x = 0; x < size; ++x) {
    RC_ASSERT(out[x] <= exchange.totals[x]);
    all += static_cast<double>(exchange.totals[x]);
  }
  for (const std::vector<double>& masses : made.problem.masses) {
    std::vector<double> after = masses;
    auto move = [&](const RowFlow& flow) {
      for (size_t s = 0; s < secrets; ++s) {
        const double mass = masses[flow.from * secrets + s] * static_cast<double>(flow.weight) /
                            static_cast<double>(exchange.totals[flow.from]);
        after[flow.from * secrets + s] -= mass;
        after[flow.to * secrets + s] += mass;
      }
    };
    for (const RowFlow& flow : exchange.flows) move(flow);
    for (size_t y = 0; y < size; ++y) {
      const auto [low, high] = std::minmax_element(after.begin() + static_cast<ptrdiff_t>(y * secrets),
                                                   after.begin() + static_cast<ptrdiff_t>((y + 1) * secrets));
      RC_ASSERT(*high <= *low * std::exp(made.problem.epsilon) * (1 + 1e-7));
    }
  }
  if (!by_columns) RC_ASSERT(changed / all <= least_pool(made.problem, Patience{kSilent}).value + 1e-6);
}

TEST(SwapBlocks, HonourTheShareThatStays) {
  CirculationProblem problem{.weights = {}, .secrets = 2, .masses = {{}}, .epsilon = 0.5, .least_kept = 0.4};
  ExchangedRows rows;
  for (uint32_t x = 0; x < 200; ++x) {
    problem.weights.push_back(1.0 / 200);
    problem.masses[0].push_back((x % 2 == 0 ? 1.9 : 0.1) / 200);
    problem.masses[0].push_back((x % 2 == 0 ? 0.1 : 1.9) / 200);
    rows.counts.push_back(20);
    rows.classes.push_back(x);
  }
  const Progress none;
  const BlockExchange found = exchange_in_blocks(problem, rows, false, 0, Patience{none});
  ASSERT_EQ(found.outcome, Circulation::kSolved);
  EXPECT_GT(found.blocks, 1u);
  std::vector<uint64_t> out(200, 0);
  for (const RowFlow& flow : found.exchange.flows) out[flow.from] += flow.weight;
  for (size_t x = 0; x < 200; ++x)
    EXPECT_LE(static_cast<double>(out[x]), (0.6 + 1e-9) * static_cast<double>(found.exchange.totals[x]));
  problem.least_kept = 0.9;
  EXPECT_EQ(exchange_in_blocks(problem, rows, false, 0, Patience{none}).outcome, Circulation::kInfeasible);
}

// More kinds of values than one programme takes: calibrate proves what the blocks give, and so does verify.
TEST(SwapBlocks, AreProvedByCalibrate) {
  Scenario scenario{testing::epsilon_of("0.5")};
  scenario.secrets = {"A", "B"};
  std::vector<int64_t> atoms;
  std::vector<uint64_t> first, second;
  for (int64_t x = 0; x < 3600; ++x) {
    atoms.push_back(x);
    first.push_back(1 + static_cast<uint64_t>(x % 60));
    second.push_back(1 + static_cast<uint64_t>(x / 60));
  }
  scenario.priors.push_back(
      {.name = "empirical",
       .by_secret = {Distribution::from_counts(atoms, first), Distribution::from_counts(atoms, second)}});
  OptimumOptions options;
  options.measure = {.kind = ErrorMeasure::kZeroOne};
  options.measure_said = true;
  const Plan plan = calibrate(scenario, "swap", "laplace", {}, options);
  EXPECT_NE(plan.notes.back().find("too many kinds of rows for one linear programme (2"), std::string::npos);
  EXPECT_GT(*plan.unchanged, 0.75);
  verify(plan);
}

}  // namespace
}  // namespace fugu
