#include "fugu/solve/by_columns.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace fugu {
namespace {

// Shares of n inputs at n outputs, as a channel has them: at every output the masses of two random laws are
// within 20 % of each other.
struct Channels {
  LinearProgramme lp;
  ShareGroups shares;
  std::vector<bool> chosen;  // the same output for all, and each value as it is
};

Channels channels(size_t n, uint32_t seed) {
  std::mt19937 random(seed);
  auto uniform = [&] { return std::uniform_real_distribution<double>(0.1, 1)(random); };
  Channels result{{}, {n, n}, std::vector<bool>(n * n, false)};
  auto law = [&] {
    std::vector<double> masses(n);
    double total = 0;
    for (double& mass : masses) total += mass = uniform();
    for (double& mass : masses) mass /= total;
    return masses;
  };
  const std::vector<double> first = law(), second = law();
  for (size_t i = 0; i < n; ++i) {
    for (size_t k = 0; k < n; ++k) {
      const double apart = static_cast<double>(i) - static_cast<double>(k);
      result.lp.add_variable((first[i] + second[i]) * apart * apart, 1);
    }
    result.chosen[i * n + i] = result.chosen[i * n + n / 2] = true;
  }
  for (size_t i = 0; i < n; ++i) {
    std::vector<LpTerm> whole;
    for (size_t k = 0; k < n; ++k) whole.push_back({i * n + k, 1});
    result.lp.add_row(1, 1, whole);
  }
  for (size_t k = 0; k < n; ++k) {
    std::vector<LpTerm> one, other;
    for (size_t i = 0; i < n; ++i) {
      one.push_back({i * n + k, first[i] - 1.2 * second[i]});
      other.push_back({i * n + k, second[i] - 1.2 * first[i]});
    }
    result.lp.add_row(-kInfinite, 0, one);
    result.lp.add_row(-kInfinite, 0, other);
  }
  return result;
}

TEST(ByColumns, FindsTheOptimumOfTheWholeProgramme) {
  const Progress none;
  for (uint32_t seed = 0; seed < 10; ++seed) {
    Channels asked = channels(30, seed);
    const LpResult whole = solve(asked.lp, {none}),
                   part = solve_by_columns(asked.lp, asked.shares, asked.chosen, {none});
    ASSERT_EQ(whole.outcome, LpResult::kSolved) << seed;
    ASSERT_EQ(part.outcome, LpResult::kSolved) << seed;
    ASSERT_EQ(part.values.size(), asked.lp.costs.size());
    EXPECT_NEAR(part.value, whole.value, 1e-6 * whole.value) << seed;
    EXPECT_LE(part.bound, whole.value * (1 + 1e-9)) << seed;
    EXPECT_GE(part.bound, whole.value * (1 - 1e-6)) << seed;
    EXPECT_LT(part.residual, 1e-8) << seed;
    const auto used = std::count(asked.chosen.begin(), asked.chosen.end(), true);
    EXPECT_GT(used, 60) << seed;
    EXPECT_LT(used, 30 * 30) << seed;
  }
}

// A bound that knew of the chosen shares alone would be the optimum of the part, which is dearer.
TEST(ByColumns, BoundsTheWholeProgrammeFromAPartOfIt) {
  const Progress none;
  const Channels asked = channels(30, 3);
  const double optimum = solve(asked.lp, {none}).value;
  std::vector<bool> chosen = asked.chosen;
  Patience careless{none};
  careless.good_gap = 1e9;
  const LpResult result = solve_by_columns(asked.lp, asked.shares, chosen, careless);
  EXPECT_EQ(chosen, asked.chosen);  // one round was enough
  EXPECT_GT(result.value, optimum * 1.01);
  EXPECT_LE(result.bound, optimum * (1 + 1e-9));
}

// Wherever time ends, it ends with a point of the whole programme or with none.
TEST(ByColumns, EndsWheneverItHasTo) {
  const Progress none;
  size_t unfinished = 0, solved = 0;
  for (int step = 0; step < 60 && solved < 3; ++step) {
    Channels asked = channels(50, 2);
    Patience patience{none};
    patience.deadline = Deadline::in(5e-4 * std::pow(1.15, step));
    const auto result = in_time(
        patience.deadline, [&] { return solve_by_columns(asked.lp, asked.shares, asked.chosen, patience); });
    if (!result) continue;
    unfinished += result->is_unfinished();
    solved += result->outcome == LpResult::kSolved;
    if (result->values.empty()) continue;
    ASSERT_EQ(result->values.size(), asked.lp.costs.size());
    EXPECT_LE(result->bound, result->value * (1 + 1e-6));
  }
  EXPECT_GT(unfinished, 0u);
  EXPECT_GT(solved, 0u);
}

TEST(ByColumns, SaysWhenItsPartHasNoPoint) {
  const Progress none;
  Channels asked = channels(30, 1);
  asked.chosen.assign(asked.chosen.size(), false);
  EXPECT_EQ(solve_by_columns(asked.lp, asked.shares, asked.chosen, {none}).outcome, LpResult::kInfeasible);
}

}  // namespace
}  // namespace fugu
