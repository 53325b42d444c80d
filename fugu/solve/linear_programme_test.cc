#include "fugu/solve/linear_programme.h"

#include <gtest/gtest.h>

#include <random>
#include <stdexcept>

namespace fugu {
namespace {

LpResult solved(const LinearProgramme& lp, const Progress& progress = {}) { return solve(lp, {progress}); }

TEST(LinearProgramme, FindsTheOptimumAndABoundBelowIt) {
  LinearProgramme lp;
  const size_t x = lp.add_variable(1, 10), y = lp.add_variable(2, 10);
  lp.add_row(3, kInfinite, {{x, 1}, {y, 0.5}, {y, 0.5}});  // x + y >= 3
  lp.add_row(-kInfinite, 2, {{x, 1}});
  const LpResult result = solved(lp);
  ASSERT_EQ(result.outcome, LpResult::kSolved);
  EXPECT_NEAR(result.values[x], 2, 1e-6);
  EXPECT_NEAR(result.values[y], 1, 1e-6);
  EXPECT_NEAR(result.value, 4, 1e-6);
  EXPECT_LE(result.bound, 4 + 1e-12);
  EXPECT_GE(result.bound, 4 - 1e-5);
}

TEST(LinearProgramme, SaysWhenThereIsNoPoint) {
  LinearProgramme lp;
  const size_t x = lp.add_variable(1, 10);
  lp.add_row(3, 3, {{x, 1}});
  lp.add_row(-kInfinite, 2, {{x, 1}});
  EXPECT_EQ(solved(lp).outcome, LpResult::kInfeasible);
}

// Variables in no row, rows without variables, costs without end: CLP alone would stop the process.
TEST(LinearProgramme, EndsWhateverItIsGiven) {
  size_t solved_ones = 0, infeasible = 0;
  for (uint32_t seed = 0; seed < 3000; ++seed) {
    std::mt19937 random(seed);
    auto uniform = [&] { return std::uniform_real_distribution<double>()(random); };
    LinearProgramme lp;
    const size_t variables = 1 + random() % 6, rows = random() % 5;
    for (size_t j = 0; j < variables; ++j) lp.add_variable(seed % 2 == 0 ? 2 * uniform() - 1 : uniform(), 10);
    for (size_t i = 0; i < rows; ++i) {
      std::vector<LpTerm> terms;
      for (size_t j = 0; j < variables; ++j) {
        if (uniform() < 0.4) terms.push_back({j, 2 * uniform() - 1});
      }
      const double at = 2 * uniform() - 1, below = at - uniform();
      const size_t kind = random() % 4;
      lp.add_row(kind == 0 ? -kInfinite : kind == 1 ? at : below, kind == 2 ? kInfinite : at, terms);
    }
    const LpResult result = solved(lp);
    infeasible += result.outcome == LpResult::kInfeasible;
    if (result.outcome != LpResult::kSolved) continue;
    ++solved_ones;
    ASSERT_EQ(result.values.size(), variables) << seed;
    EXPECT_LE(result.residual, 1e-6) << seed;
    double sum = 0;
    for (size_t j = 0; j < variables; ++j) sum += lp.costs[j] * result.values[j];
    EXPECT_NEAR(result.value, sum, 1e-9 * (1 + std::abs(sum))) << seed;
  }
  EXPECT_GT(solved_ones, 1200u);
  EXPECT_GT(infeasible, 300u);
}

TEST(LinearProgramme, TakesCostsBelowZero) {
  LinearProgramme lp;
  const size_t x = lp.add_variable(-1, 10), y = lp.add_variable(1, 10);
  lp.add_row(-kInfinite, 2, {{x, 1}, {y, -0.5}});
  const LpResult result = solved(lp);
  ASSERT_EQ(result.outcome, LpResult::kSolved);
  EXPECT_NEAR(result.value, -2, 1e-9);
  EXPECT_NEAR(result.bound, -2, 1e-9);
}

TEST(LinearProgramme, TakesVariablesInNoRowAsTheyCost) {
  LinearProgramme lp;
  const size_t dear = lp.add_variable(2, 10), x = lp.add_variable(1, 10), gain = lp.add_variable(-3, 4);
  lp.add_row(-1, kInfinite, {});
  EXPECT_EQ(solved(lp).value, -12);
  lp.add_row(3, kInfinite, {{x, 1}});
  const LpResult result = solved(lp);
  ASSERT_EQ(result.outcome, LpResult::kSolved);
  EXPECT_EQ(result.values[dear], 0);
  EXPECT_NEAR(result.values[x], 3, 1e-6);
  EXPECT_EQ(result.values[gain], 4);
  EXPECT_NEAR(result.value, -9, 1e-6);
  EXPECT_NEAR(result.bound, -9, 1e-5);
  lp.add_row(1, 1, {});
  EXPECT_EQ(solved(lp).outcome, LpResult::kInfeasible);
  lp.most[gain] = kInfinite;
  lp.lower.back() = 0;
  EXPECT_EQ(solved(lp).outcome, LpResult::kFailed);
}

// A transport problem between random laws, wide enough for both sides, against the sorted coupling.
LinearProgramme transport(const std::vector<double>& from, const std::vector<double>& to) {
  LinearProgramme lp;
  const size_t n = from.size();
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j < n; ++j)
      lp.add_variable(i < j ? static_cast<double>(j - i) : static_cast<double>(i - j), 1);
  }
  for (size_t i = 0; i < n; ++i) {
    std::vector<LpTerm> out, in;
    for (size_t j = 0; j < n; ++j) {
      out.push_back({i * n + j, 1});
      in.push_back({j * n + i, 1});
    }
    lp.add_row(from[i], from[i], out);
    lp.add_row(to[i], to[i], in);
  }
  return lp;
}

TEST(LinearProgramme, AgreesWithTheSortedCoupling) {
  std::mt19937 random(7);
  const size_t n = 30;
  std::vector<double> from(n), to(n);
  double a = 0, b = 0;
  for (size_t k = 0; k < n; ++k) {
    a += from[k] = std::uniform_real_distribution<double>()(random);
    b += to[k] = std::uniform_real_distribution<double>()(random);
  }
  double distance = 0, gap = 0;
  for (size_t k = 0; k < n; ++k) distance += std::abs(gap += (from[k] /= a) - (to[k] /= b));
  const LpResult result = solved(transport(from, to));
  ASSERT_EQ(result.outcome, LpResult::kSolved);
  EXPECT_NEAR(result.value, distance, 1e-7);
  EXPECT_LE(result.bound, distance + 1e-10);
}

TEST(LinearProgramme, StopsWhenToldAndWhenTimeIsUp) {
  const LinearProgramme lp = transport(std::vector<double>(40, 0.025), std::vector<double>(40, 0.025));
  int calls = 0;
  EXPECT_THROW(solved(lp,
                      [&](double, std::string_view) {
                        if (++calls == 3) throw std::runtime_error("stop");
                      }),
               std::runtime_error);
  EXPECT_EQ(calls, 3);
  const Progress none;
  Patience over{none};
  over.deadline = Deadline::in(0);
  EXPECT_NE(solve(lp, over).outcome, LpResult::kInfeasible);
}

}  // namespace
}  // namespace fugu
