#include "fugu/solve/pool.h"

#include <ClpSimplex.hpp>
#include <algorithm>
#include <cmath>

namespace fugu::inline in_solve {
namespace {

// The least probability with which a class must leave into an average pool.
double least_leave(const CirculationProblem& problem, const std::vector<CirculationLimit>& limits, size_t x) {
  double leave = 0;
  auto raise = [&](double excess, double growth_less_1) {
    if (!(excess > 0)) return;
    excess /= problem.weights[x];
    leave = std::max(leave, excess / (excess + growth_less_1));
  };
  const double growth = std::exp(problem.epsilon);
  for (const std::vector<double>& masses : problem.masses) {
    const double* mass = masses.data() + x * problem.secrets;
    for (const CirculationLimit& limit : limits)
      raise(mass[limit.first] - limit.growth * mass[limit.second], limit.growth - 1);
    if (!limits.empty()) continue;
    const auto [low, high] = std::minmax_element(mass, mass + problem.secrets);
    raise(*high - growth * *low, std::expm1(problem.epsilon));
  }
  return leave;
}

}  // namespace

Pool least_pool(const CirculationProblem& problem, const Patience& patience) {
  const size_t size = problem.weights.size(), rows = problem.masses.size() * problem.secrets;
  patience.check("looking for the least pool of rows");
  std::vector<double> least(size), most(size, 1 - problem.least_kept);
  const auto limits = problem.is_of_all_pairs() ? std::vector<CirculationLimit>{} : problem.all_limits();
  for (size_t x = 0; x < size; ++x) {
    least[x] = least_leave(problem, limits, x);
    if (least[x] > most[x]) return {.outcome = Circulation::kInfeasible};
  }
  std::vector<CoinBigIndex> starts = {0};
  std::vector<int> index;
  std::vector<double> value, costs;
  const auto scale = static_cast<double>(size);
  for (size_t x = 0; x < size; ++x) {
    for (size_t r = 0; r < rows; ++r) {
      const double mass = problem.masses[r / problem.secrets][x * problem.secrets + r % problem.secrets];
      if (std::fabs(mass - problem.weights[x]) <= 1e-14 * mass) continue;  // of the mixture it is rounding
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
