#include "fugu/solve/circulation.h"

#include <gtest/gtest.h>

#include <ClpSimplex.hpp>
#include <CoinPackedMatrix.hpp>

#include <cmath>
#include <random>
#include <stdexcept>

#include "fugu/solve/pool.h"

namespace fugu {
namespace {

CirculationProblem random_circulation(std::mt19937& random, size_t classes, size_t secrets, size_t priors) {
  std::uniform_real_distribution<double> uniform(0, 1);
  CirculationProblem problem{.weights = std::vector<double>(classes), .secrets = secrets, .masses = {}};
  problem.masses.resize(priors);
  double all = 0;
  for (double& weight : problem.weights) all += weight = 0.05 + uniform(random);
  for (double& weight : problem.weights) weight /= all;
  for (std::vector<double>& masses : problem.masses) {
    masses.resize(classes * secrets);
    for (size_t s = 0; s < secrets; ++s) {
      double sum = 0;
      for (size_t x = 0; x < classes; ++x) {
        const double draw = uniform(random);
        sum += masses[x * secrets + s] = draw < 0.2 ? 0 : problem.weights[x] * draw * draw;
      }
      if (sum == 0) sum = masses[s] = 1;  // few classes, and none of them was to have any
      for (size_t x = 0; x < classes; ++x) masses[x * secrets + s] /= sum;
    }
  }
  problem.epsilon = 0.2 + uniform(random);
  return problem;
}

double cost_of(const CirculationProblem& problem, size_t x, size_t y) {
  return problem.cost ? problem.cost(x, y) : 1;
}

// Solved by the simplex alone: an oracle must not fail.
LpResult by_simplex(const LinearProgramme& lp) {
  CoinPackedMatrix matrix(true, lp.term_row.data(), lp.term_variable.data(), lp.coefficients.data(),
                          static_cast<CoinBigIndex>(lp.coefficients.size()));
  matrix.setDimensions(static_cast<int>(lp.lower.size()), static_cast<int>(lp.costs.size()));
  auto bounded = [](std::vector<double> bounds) {
    for (double& bound : bounds) {
      if (std::isinf(bound)) bound = bound > 0 ? COIN_DBL_MAX : -COIN_DBL_MAX;
    }
    return bounds;
  };
  const std::vector<double> zeros(lp.costs.size(), 0), lower = bounded(lp.lower), upper = bounded(lp.upper);
  ClpSimplex model;
  model.setLogLevel(0);
  model.loadProblem(matrix, zeros.data(), lp.most.data(), lp.costs.data(), lower.data(), upper.data());
  model.setPrimalTolerance(1e-10);
  model.setDualTolerance(1e-10);
  model.dual();
  LpResult result{.outcome = model.isProvenOptimal() ? LpResult::kSolved : LpResult::kFailed};
  result.values.assign(model.primalColumnSolution(), model.primalColumnSolution() + lp.costs.size());
  result.value = model.objectiveValue();
  return result;
}

// The whole programme, pair by pair, as section 16 has it: outputs' masses by outflow and inflow. Its last
// variable is what more than allowed may leave, at a price that nobody pays who need not.
LpResult dense(const CirculationProblem& problem) {
  const size_t n = problem.weights.size();
  LinearProgramme lp;
  for (size_t x = 0; x < n; ++x) {
    for (size_t y = 0; y < n; ++y) lp.add_variable(x == y ? 0 : cost_of(problem, x, y), 1);
  }
  const size_t more = lp.add_variable(1e4, 1);
  auto pairs = problem.pairs;
  for (size_t a = 0; problem.pairs.empty() && a < problem.secrets; ++a) {
    for (size_t b = a + 1; b < problem.secrets; ++b) pairs.emplace_back(a, b);
  }
  const double growth = std::exp(problem.epsilon);
  for (size_t y = 0; y < n; ++y) {
    std::vector<LpTerm> balance, out;
    for (size_t x = 0; x < n; ++x) {
      if (x == y) continue;
      balance.push_back({x * n + y, 1});
      balance.push_back({y * n + x, -1});
      out.push_back({y * n + x, 1});
    }
    lp.add_row(0, 0, balance);
    out.push_back({more, -1});
    lp.add_row(-kInfinite, (1 - problem.least_kept) * problem.weights[y], out);
    for (const std::vector<double>& masses : problem.masses) {
      auto add = [&](size_t a, size_t b) {
        auto part = [&](size_t x) {
          const double* mass = masses.data() + x * problem.secrets;
          return mass[a] - growth * mass[b];
        };
        std::vector<LpTerm> row;
        for (size_t x = 0; x < n; ++x) {
          if (x == y) continue;
          row.push_back({x * n + y, part(x) / problem.weights[x]});
          row.push_back({y * n + x, -part(y) / problem.weights[y]});
        }
        lp.add_row(-kInfinite, -part(y), row);
      };
      for (auto [a, b] : pairs) {
        add(a, b);
        add(b, a);
      }
    }
  }
  return by_simplex(lp);
}

// By how much the flows break anything, as a share of the class.
double worst_breach(const CirculationProblem& problem, const std::vector<ClassFlow>& flows) {
  const size_t n = problem.weights.size();
  std::vector<double> in(n, 0), out(n, 0);
  for (const ClassFlow& flow : flows) {
    EXPECT_NE(flow.from, flow.to);
    EXPECT_GT(flow.amount, 0);
    out[flow.from] += flow.amount;
    in[flow.to] += flow.amount;
  }
  double worst = 0;
  for (size_t y = 0; y < n; ++y) {
    const double w = problem.weights[y];
    worst = std::max({worst, std::fabs(in[y] - out[y]) / w, out[y] / w - (1 - problem.least_kept)});
    for (const std::vector<double>& masses : problem.masses) {
      std::vector<double> mass;
      for (size_t s = 0; s < problem.secrets; ++s) {
        double sum = masses[y * problem.secrets + s] * (1 - out[y] / w);
        for (const ClassFlow& flow : flows) {
          if (flow.to == y)
            sum += flow.amount * masses[flow.from * problem.secrets + s] / problem.weights[flow.from];
        }
        mass.push_back(sum / w);
      }
      for (size_t a = 0; a < problem.secrets; ++a) {
        for (size_t b = 0; b < problem.secrets; ++b) {
          bool counts = problem.pairs.empty();
          for (auto [c, d] : problem.pairs) counts = counts || (a == c && b == d) || (a == d && b == c);
          if (counts) worst = std::max(worst, mass[a] - std::exp(problem.epsilon) * mass[b]);
        }
      }
    }
  }
  return worst;
}

TEST(Circulation, AgreesWithTheWholeProgramme) {
  std::mt19937 random(5);
  size_t infeasible = 0;
  for (int k = 0; k < 300; ++k) {
    CirculationProblem problem = random_circulation(random, 2 + k % 9, 2 + k % 5, 1 + k % 3);
    if (k % 4 == 1) problem.pairs = {{0, 1}};
    if (k % 4 == 2) problem.least_kept = 0.1 * (k % 7);
    std::vector<double> costs;
    for (int c = 0; c < 400; ++c) costs.push_back(std::uniform_real_distribution<double>(0, 30)(random));
    if (k % 3 == 1) problem.cost = [&](size_t x, size_t y) { return costs[x * 20 + y]; };
    const LpResult truth = dense(problem);
    const Circulation found = least_circulation(problem, {Progress()});
    ASSERT_EQ(truth.outcome, LpResult::kSolved) << k;
    if (truth.values.back() > 1e-8) {
      ++infeasible;
      EXPECT_EQ(found.outcome, Circulation::kInfeasible) << k;
      continue;
    }
    ASSERT_EQ(found.outcome, Circulation::kSolved) << k;
    const double size = std::max(truth.value, 1e-3);
    EXPECT_NEAR(found.value, truth.value, 2e-7 * size) << k;
    EXPECT_LE(found.bound, truth.value + 2e-7 * size) << k;
    EXPECT_GE(found.bound, found.value - 2e-7 * size) << k;
    EXPECT_LE(worst_breach(problem, found.flows), 2e-9) << k;
    EXPECT_LE(found.residual, 2e-9) << k;
    double sum = 0;
    for (const ClassFlow& flow : found.flows) sum += flow.amount * cost_of(problem, flow.from, flow.to);
    EXPECT_NEAR(found.value, sum, 1e-12 * size) << k;
  }
  EXPECT_GT(infeasible, 2u);
}

// Enough classes for a start from merged ones; the multipliers prove the optimum.
TEST(Circulation, ProvesTheOptimumOfManyClasses) {
  std::mt19937 random(6);
  for (size_t secrets : {2, 4}) {
    CirculationProblem problem = random_circulation(random, 150, secrets, 1);
    const Circulation found = least_circulation(problem, {Progress()});
    ASSERT_EQ(found.outcome, Circulation::kSolved);
    EXPECT_GE(found.bound, found.value * (1 - 1e-6));
    EXPECT_LE(worst_breach(problem, found.flows), 2e-9);
    EXPECT_LT(found.flows.size(), 150 * (2 * secrets + 2));
    problem.cost = [](size_t x, size_t y) { return 1 + static_cast<double>((x * 7 + y * 3) % 11); };
    const Circulation dear = least_circulation(problem, {Progress()});
    ASSERT_EQ(dear.outcome, Circulation::kSolved);
    EXPECT_GE(dear.bound, dear.value * (1 - 1e-6));
    EXPECT_GE(dear.value, found.value * (1 - 1e-6));
  }
}

TEST(Circulation, MovesNobodyWhenNothingTells) {
  const CirculationProblem one{.weights = {1}, .secrets = 2, .masses = {{1, 1}}, .epsilon = 0.1};
  const Circulation still = least_circulation(one, {Progress()});
  EXPECT_EQ(still.outcome, Circulation::kSolved);
  EXPECT_TRUE(still.flows.empty());
  EXPECT_EQ(still.value, 0);
}

TEST(Circulation, StopsInTimeAndLetsExceptionsThrough) {
  std::mt19937 random(7);
  const CirculationProblem problem = random_circulation(random, 400, 5, 1);
  const Circulation stopped = least_circulation(problem, {Progress(), Deadline::in(0.05)});
  EXPECT_EQ(stopped.outcome, Circulation::kStopped);
  const Progress throws = [](double, std::string_view) { throw std::runtime_error("enough"); };
  EXPECT_THROW(least_circulation(problem, {throws}), std::runtime_error);
}

TEST(Pool, KeepsEpsilonWithAnAverageMix) {
  std::mt19937 random(8);
  for (int k = 0; k < 60; ++k) {
    CirculationProblem problem = random_circulation(random, 2 + k % 30, 2 + k % 4, 1 + k % 2);
    if (k % 3 == 1) problem.pairs = {{0, 1}};
    const Pool pool = least_pool(problem, {Progress()});
    ASSERT_EQ(pool.outcome, Circulation::kSolved) << k;
    double all = 0;
    for (size_t x = 0; x < pool.leave.size(); ++x) all += pool.leave[x] * problem.weights[x];
    std::vector<ClassFlow> flows;
    double value = 0;
    for (uint32_t x = 0; x < pool.leave.size(); ++x) {
      for (uint32_t y = 0; y < pool.leave.size(); ++y) {
        const double amount = pool.leave[x] * problem.weights[x] * pool.leave[y] * problem.weights[y] / all;
        if (x == y || !(amount > 0)) continue;
        flows.push_back({x, y, amount});
        value += amount;
      }
    }
    EXPECT_LE(worst_breach(problem, flows), 1e-8) << k;
    EXPECT_NEAR(pool.value, value, 1e-9) << k;
    EXPECT_GE(pool.value, least_circulation(problem, {Progress()}).bound - 1e-9) << k;
  }
}

TEST(Pool, SaysWhenTooManyMustStay) {
  const CirculationProblem problem{
      .weights = {0.5, 0.5}, .secrets = 2, .masses = {{1, 0, 0, 1}}, .epsilon = 0.5, .least_kept = 0.9};
  EXPECT_EQ(least_pool(problem, {Progress()}).outcome, Circulation::kInfeasible);
  EXPECT_EQ(least_circulation(problem, {Progress()}).outcome, Circulation::kInfeasible);
}

}  // namespace
}  // namespace fugu
