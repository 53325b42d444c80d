#include "fugu/solve/pool.h"

#include <ClpSimplex.hpp>
#include <algorithm>
#include <cmath>

namespace fugu::inline in_solve {
namespace {

// The least probability with which a class must leave into an average pool.
double least_leave(const CirculationProblem& problem, size_t x) {
  const double growth = std::exp(problem.epsilon);
  double excess = 0;
  for (const std::vector<double>& masses : problem.masses) {
    const double* mass = masses.data() + x * problem.secrets;
    for (auto [a, b] : problem.pairs)
      excess = std::max({excess, mass[a] - growth * mass[b], mass[b] - growth * mass[a]});
    if (!problem.pairs.empty()) continue;
    const auto [low, high] = std::minmax_element(mass, mass + problem.secrets);
    excess = std::max(excess, *high - growth * *low);
  }
  if (excess == 0) return 0;
  excess /= problem.weights[x];
  return excess / (excess + std::expm1(problem.epsilon));
}

}  // namespace

Pool least_pool(const CirculationProblem& problem, const Patience& patience) {
  const size_t size = problem.weights.size(), rows = problem.masses.size() * problem.secrets;
  patience.check("looking for the least pool of rows");
  std::vector<double> least(size), most(size, 1 - problem.least_kept);
  for (size_t x = 0; x < size; ++x) {
    least[x] = least_leave(problem, x);
    if (least[x] > most[x]) return {.outcome = Circulation::kInfeasible};
  }
  std::vector<CoinBigIndex> starts = {0};
  std::vector<int> index;
  std::vector<double> value, costs;
  const auto scale = static_cast<double>(size);
  for (size_t x = 0; x < size; ++x) {
    for (size_t r = 0; r < rows; ++r) {
      const double mass = problem.masses[r / problem.secrets][x * problem.secrets + r % problem.secrets];
      if (mass == problem.weights[x]) continue;
      index.push_back(static_cast<int>(r));
      value.push_back(scale * (mass - problem.weights[x]));
    }
    starts.push_back(static_cast<CoinBigIndex>(index.size()));
    costs.push_back(scale * problem.weights[x]);
  }
  const std::vector<double> zeros(rows, 0);
  ClpSimplex model;
  model.setLogLevel(0);
  model.setPrimalTolerance(1e-9);
  model.setDualTolerance(1e-9);
  model.loadProblem(static_cast<int>(size), static_cast<int>(rows), starts.data(), index.data(), value.data(),
                    least.data(), most.data(), costs.data(), zeros.data(), zeros.data());
  if (patience.deadline.seconds_left() < 1e9) model.setMaximumWallSeconds(patience.deadline.seconds_left());
  model.dual();
  if (!model.isProvenOptimal()) model.primal();
  patience.check("looking for the least pool of rows");
  if (!model.isProvenOptimal()) return {};
  Pool pool{.outcome = Circulation::kSolved};
  double all = 0, own = 0;
  for (size_t x = 0; x < size; ++x) {
    pool.leave.push_back(std::clamp(model.primalColumnSolution()[x], least[x], most[x]));
    const double amount = pool.leave.back() * problem.weights[x];
    all += amount;
    own += amount * amount;
  }
  pool.value = all > 0 ? all - own / all : 0;
  return pool;
}

}  // namespace fugu::inline in_solve
