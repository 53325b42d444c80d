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
